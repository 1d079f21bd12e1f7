// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import com.neilalexander.jnacl.crypto.curve25519xsalsa20poly1305;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.zeromq.ZMQ;

/**
 * A node that speaks ZMTP 3.0 and CURVE by itself (ZeroMQ RFC 23, 25, 26), to say in its handshake what no library
 * would let it say.
 */
final class ForgingNode implements AutoCloseable {
    private static final int ZEROS = 32;
    private static final int BOX_ZEROS = 16;
    private static final int COMMAND = 4;
    private static final int LONG = 2;

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final byte[] shortPublic = new byte[32];
    private final byte[] shortSecret = new byte[32];
    private final byte[] serverShort;
    private long sent;

    /**
     * Connects.
     *
     * @param keys public and secret, in Z85
     * @param properties what the handshake says of this side
     */
    ForgingNode(final Remote proxy, final ZMQ.Curve.KeyPair keys, final Map<String, String> properties)
            throws IOException {
        final var address = proxy.address().substring("tcp://".length()).split(":");
        socket = new Socket(address[0], Integer.parseInt(address[1]));
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(socket.getOutputStream());
        curve25519xsalsa20poly1305.crypto_box_keypair(shortPublic, shortSecret);
        final byte[] server = ZMQ.Curve.z85Decode(proxy.publicKey());

        out.write(ByteBuffer.allocate(64).put((byte) 0xff).position(9).put((byte) 0x7f).put((byte) 3).put((byte) 0)
            .put(ascii("CURVE")).array());
        in.readNBytes(64);
        send(COMMAND, concat(ascii("\5HELLO"), new byte[] {1, 0}, new byte[72], shortPublic, number(),
            box(new byte[64], concat(ascii("CurveZMQHELLO---"), number()), server, shortSecret)));

        final byte[] welcome = receive();
        final byte[] opened = open(Arrays.copyOfRange(welcome, 24, 168),
            concat(ascii("WELCOME-"), Arrays.copyOfRange(welcome, 8, 24)), server);
        serverShort = Arrays.copyOf(opened, 32);
        final byte[] vouchNonce = new byte[16];
        final byte[] vouch = box(concat(shortPublic, server), concat(ascii("VOUCH---"), vouchNonce), serverShort,
            ZMQ.Curve.z85Decode(keys.secretKey));
        sent++;
        send(COMMAND, concat(ascii("\10INITIATE"), Arrays.copyOfRange(opened, 32, 128), number(),
            box(concat(ZMQ.Curve.z85Decode(keys.publicKey), vouchNonce, vouch, encoded(properties)),
                concat(ascii("CurveZMQINITIATE"), number()), serverShort, shortSecret)));
        receive();
    }

    private static byte[] encoded(final Map<String, String> properties) throws IOException {
        final var octets = new ByteArrayOutputStream();
        final var to = new DataOutputStream(octets);
        for (final var property : properties.entrySet()) {
            to.writeByte(property.getKey().length());
            to.writeBytes(property.getKey());
            to.writeInt(property.getValue().length());
            to.writeBytes(property.getValue());
        }
        return octets.toByteArray();
    }

    private byte[] number() {
        return ByteBuffer.allocate(8).putLong(sent + 1).array();
    }

    private static byte[] ascii(final String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] concat(final byte[]... parts) throws IOException {
        final var all = new ByteArrayOutputStream();
        for (final var part : parts) {
            all.write(part);
        }
        return all.toByteArray();
    }

    private static byte[] box(final byte[] plain, final byte[] nonce, final byte[] to, final byte[] from)
            throws IOException {
        final byte[] padded = concat(new byte[ZEROS], plain);
        final byte[] boxed = new byte[padded.length];
        curve25519xsalsa20poly1305.crypto_box(boxed, padded, padded.length, nonce, to, from);
        return Arrays.copyOfRange(boxed, BOX_ZEROS, boxed.length);
    }

    private byte[] open(final byte[] box, final byte[] nonce, final byte[] from) throws IOException {
        final byte[] boxed = concat(new byte[BOX_ZEROS], box);
        final byte[] padded = new byte[boxed.length];
        if (curve25519xsalsa20poly1305.crypto_box_open(padded, boxed, boxed.length, nonce, from, shortSecret) != 0) {
            throw new IOException("the box does not open");
        }
        return Arrays.copyOfRange(padded, ZEROS, padded.length);
    }

    private void send(final int flags, final byte[] body) throws IOException {
        out.writeByte(flags | LONG);
        out.writeLong(body.length);
        out.write(body);
        out.flush();
    }

    private byte[] receive() throws IOException {
        final int flags = in.readUnsignedByte();
        final byte[] body = new byte[(flags & LONG) == 0 ? in.readUnsignedByte() : (int) in.readLong()];
        in.readFully(body);
        return body;
    }

    void send(final Frame frame) throws IOException {
        sent++;
        send(0, concat(ascii("\7MESSAGE"), number(), box(concat(new byte[1], FrameCodec.encode(frame)),
            concat(ascii("CurveZMQMESSAGEC"), number()), serverShort, shortSecret)));
    }

    /** Waits for a frame. */
    Frame take() throws IOException {
        final byte[] message = receive();
        final byte[] opened = open(Arrays.copyOfRange(message, 16, message.length),
            concat(ascii("CurveZMQMESSAGES"), Arrays.copyOfRange(message, 8, 16)), serverShort);
        return ((FrameCodec.Decoded.Valid) FrameCodec.decode(Arrays.copyOfRange(opened, 1, opened.length))).frame();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
