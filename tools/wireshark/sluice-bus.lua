-- SPDX-License-Identifier: EPL-2.0
-- Frames of Sluice's message bus (docs/wire/bus.md) in Wireshark and tshark, 3.6 or newer:
--   tshark -X lua_script:tools/wireshark/sluice-bus.lua -r frames.pcap -V
--
-- On the network CURVE hides them. So this reads captures of the link type USER0 (147) with one frame a packet, as
-- text2pcap -l 147 makes them of octets in hexadecimal. A frame that an implementation would drop has an expert error.

local bus = Proto("sluice_bus", "Sluice message bus")

local KINDS = {
    "HELLO", "WELCOME", "AGAIN", "STATUS", "SUBSCRIBE", "UNSUBSCRIBE", "DATA", "REPLAY", "REPLAYED", "GAP",
    "REQUEST", "REPLY", "REFUSED",
}
local VERSION = 1
local HEADER_SIZE = 32
local BODY_LIMIT = 1048576

local fields = {
    version = ProtoField.uint8("sluice_bus.version", "Version"),
    kind = ProtoField.uint8("sluice_bus.kind", "Kind", base.DEC, KINDS),
    node_length = ProtoField.uint8("sluice_bus.node_length", "Node length"),
    topic_length = ProtoField.uint8("sluice_bus.topic_length", "Topic length"),
    count = ProtoField.uint32("sluice_bus.count", "Count"),
    epoch = ProtoField.uint64("sluice_bus.epoch", "Epoch"),
    sequence = ProtoField.uint64("sluice_bus.sequence", "Sequence"),
    mark = ProtoField.uint64("sluice_bus.mark", "Mark"),
    node = ProtoField.string("sluice_bus.node", "Node", base.ASCII),
    topic = ProtoField.string("sluice_bus.topic", "Topic", base.ASCII),
    body = ProtoField.string("sluice_bus.body", "Body", base.UNICODE),
}
bus.fields = fields

local broken = ProtoExpert.new("sluice_bus.broken", "Not a frame of the bus", expert.group.MALFORMED,
    expert.severity.ERROR)
bus.experts = { broken }

local function is_site(text)
    return #text <= 31 and text:find("^[A-Za-z0-9-]+$") ~= nil
end

local function is_node(text)
    local site, name = text:match("^([^/]*)/([A-Za-z0-9._-]+)$")
    return site ~= nil and is_site(site) and #name <= 63
end

local function is_node_or_site(text)
    return is_site(text) or is_node(text)
end

local function is_segment(text)
    return #text <= 63 and text:find("^[A-Za-z0-9._-]+$") ~= nil and text:sub(1, 5) ~= "site_"
end

local function is_site_segment(text)
    local site, kind = text:match("^site_([^_]*)_([A-Za-z0-9._-]+)$")
    return site ~= nil and is_site(site) and #kind <= 26
end

-- Returns what stands behind each slash, or nothing if that can't be a topic or prefix.
local function segments(text)
    local all = {}
    if #text > 255 or text:sub(1, 1) ~= "/" then
        return nil
    end
    for segment in (text:sub(2) .. "/"):gmatch("([^/]*)/") do
        all[#all + 1] = segment
    end
    for i = 1, #all - 1 do
        if not is_segment(all[i]) then
            return nil
        end
    end
    return #all <= 8 and all or nil
end

local function is_topic(text)
    local all = segments(text)
    return all ~= nil and (is_segment(all[#all]) or is_site_segment(all[#all]))
end

local function is_filter(text)
    local all = segments(text)
    return all ~= nil and (all[#all] == "" or is_topic(text))
end

-- What node and topic have to be, by kind; nothing where they are not looked at.
local NAMES = {
    HELLO = { is_node_or_site }, WELCOME = { is_node_or_site },
    SUBSCRIBE = { nil, is_filter }, UNSUBSCRIBE = { nil, is_filter },
    DATA = { is_node, is_topic }, REPLAY = { is_node, is_topic },
    REPLAYED = { is_node, is_topic }, GAP = { is_node, is_topic },
    REQUEST = { is_node, is_node }, REPLY = { is_node, is_node }, REFUSED = { is_node_or_site, is_node },
}

local function is_message(sequence, mark)
    return mark >= UInt64(1) and mark <= sequence
end

local function is_range(sequence, mark)
    return sequence >= UInt64(1) and mark >= sequence
end

local NUMBERS = { DATA = is_message, REPLAYED = is_message, REPLAY = is_range, GAP = is_range }

local JSON = { DATA = true, REPLAYED = true, REQUEST = true, REPLY = true }

-- Returns what is wrong with the header, or nothing.
local function header_fault(octets)
    if octets:len() < HEADER_SIZE then
        return "shorter than a header"
    elseif octets(0, 1):uint() ~= VERSION then
        return "another version"
    elseif KINDS[octets(1, 1):uint()] == nil then
        return "no such kind"
    end
    local body_size = octets:len() - HEADER_SIZE - octets(2, 1):uint() - octets(3, 1):uint()
    if body_size < 0 then
        return "node and topic are longer than the frame"
    elseif body_size > BODY_LIMIT then
        return "a body above 1 MiB"
    end
    for offset = 8, 24, 8 do
        if octets(offset, 1):uint() >= 0x80 then
            return "a number above 2^63 - 1"
        end
    end
    return nil
end

-- Returns what is wrong with names and numbers, or nothing.
local function fault(kind, node, topic, sequence, mark)
    local names = NAMES[kind] or {}
    if names[1] and not names[1](node) then
        return "not the name of a node"
    elseif names[2] and not names[2](topic) then
        return "not a topic, filter or node"
    elseif NUMBERS[kind] and not NUMBERS[kind](sequence, mark) then
        return "sequence and mark do not fit"
    end
    return nil
end

local function dissect_header(octets, tree)
    tree:add(fields.version, octets(0, 1))
    tree:add(fields.kind, octets(1, 1))
    tree:add(fields.node_length, octets(2, 1))
    tree:add(fields.topic_length, octets(3, 1))
    tree:add(fields.count, octets(4, 4))
    tree:add(fields.epoch, octets(8, 8))
    tree:add(fields.sequence, octets(16, 8))
    tree:add(fields.mark, octets(24, 8))
end

-- Adds a part if it is not empty, and returns its octets.
local function dissect_text(octets, tree, field, offset, size)
    if size == 0 then
        return ""
    end
    tree:add(field, octets(offset, size), octets(offset, size):string(ENC_UTF_8))
    return octets(offset, size):raw()
end

function bus.dissector(octets, packet, root)
    packet.cols.protocol = "Sluice bus"
    local tree = root:add(bus, octets())
    local wrong = header_fault(octets)
    if wrong then
        packet.cols.info = "not a frame: " .. wrong
        tree:add_proto_expert_info(broken, wrong)
        return octets:len()
    end
    dissect_header(octets, tree)

    local kind = KINDS[octets(1, 1):uint()]
    local node_size, topic_size = octets(2, 1):uint(), octets(3, 1):uint()
    local body_offset = HEADER_SIZE + node_size + topic_size
    local node = dissect_text(octets, tree, fields.node, HEADER_SIZE, node_size)
    local topic = dissect_text(octets, tree, fields.topic, HEADER_SIZE + node_size, topic_size)
    local body = dissect_text(octets, tree, fields.body, body_offset, octets:len() - body_offset)
    local sequence, mark = octets(16, 8):uint64(), octets(24, 8):uint64()

    packet.cols.info = string.format("%s %s %s %s", kind, node, topic, tostring(sequence))
    wrong = fault(kind, node, topic, sequence, mark)
    if wrong then
        tree:add_proto_expert_info(broken, wrong)
    elseif body ~= "" and JSON[kind] then
        Dissector.get("json"):call(octets(body_offset):tvb(), packet, tree)
    end
    return octets:len()
end

DissectorTable.get("wtap_encap"):add(wtap_encaps.USER0, bus)
