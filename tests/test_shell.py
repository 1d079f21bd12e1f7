# SPDX-License-Identifier: EPL-2.0
"""The shell has a command for each RPC, and says in a line what is wrong."""

import json

import pytest

pytestmark = pytest.mark.net


def refusal(controller, command: str) -> str:
    """What the shell prints of a command that must fail."""
    answer = controller.attempt("shell", command)
    assert answer.returncode != 0, answer.stdout
    return answer.stdout.strip()


def test_answer_is_json_on_demand(controller):
    answer = json.loads(controller.command("shell", "sluice:fabric-validate --json"))
    assert answer == {"sluice-fabric:output": {}}, "no switch is attached"


def test_wrong_option_is_refused_in_a_line(controller):
    answer = refusal(controller, "sluice:fabric-validate --swich openflow:1")
    assert answer == "there is no option --swich; see --help"


def test_wrong_value_is_refused_in_the_words_of_the_model(controller):
    answer = refusal(controller, "sluice:fabric-validate --switch s1")
    assert answer == "--switch: a switch is named openflow:<datapath id, decimal>"


def test_error_of_the_rpc_is_a_line(controller):
    answer = refusal(controller, "sluice:multipath-release-transfer --name nothing")
    assert "nothing" in answer
    assert len(answer.splitlines()) == 1


def test_json_input_survives_the_shell(controller):
    command = 'sluice:multipath-release-transfer --input \'{"name": "no-such-transfer"}\''
    assert "no-such-transfer" in refusal(controller, command)


def test_help_is_the_models(controller):
    page = controller.command("shell", "sluice:multipath-find-paths --help")
    assert "uint8 1..64, default 2" in page


def test_state_is_shown(controller, wait_until):
    def shown() -> dict:
        return json.loads(controller.command("shell", "sluice:show multipath --json"))

    wait_until(lambda: "flow-events" in shown().get("sluice-multipath:multipath", {}), 30)
    answer = refusal(controller, "sluice:show fabric nowhere")
    assert answer.startswith("there is no 'nowhere' in 'fabric', only ")


def test_what_is_set_is_configured_until_it_is_unset(controller):
    path = "/rests/data/sluice-bandwidth:bandwidth/tenant=shell?content=config"
    controller.command("shell", "sluice:set bandwidth tenant=shell '{\"weight\": 2}'")
    controller.command("shell", "sluice:set bandwidth tenant=shell/application=a '{}'")
    controller.command("shell", "sluice:set bandwidth tenant=shell/application=a/weight 3")
    code, body = controller.restconf("GET", path)
    assert code == 200, body
    application = {"name": "a", "weight": 3}
    tenant = {"name": "shell", "weight": 2, "application": [application]}
    assert json.loads(body) == {"sluice-bandwidth:tenant": [tenant]}
    controller.command("shell", "sluice:unset bandwidth tenant=shell")
    assert controller.restconf("GET", path)[0] == 409  # data-missing


def test_wrong_setting_is_refused_in_a_line(controller):
    answer = refusal(controller, "sluice:set bandwidth interval 5")
    assert answer == "'interval' takes uint32 100000..3600000000, not \"5\""
    answer = refusal(controller, "sluice:set bandwidth tenant=nobody/weight 2")
    assert answer == "'tenant=nobody' is not configured; set it first"
