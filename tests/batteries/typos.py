"""Slips of the pen in a battery that is right: none of them may go unnoticed."""

RIGHT = """\
description: A museum's desk
prompts:
  - label: short
    raw: "Answer in one line: {{question}}"
providers:
  - id: echo
    label: desk
defaultTest:
  vars: {city: Bonn}
  assert:
    - type: not-contains
      value: damn
tests:
  - description: opening hours
    vars:
      question: When do you open in {{city}}?
      context: The museum in Bonn opens at nine.
    threshold: 0.5
    metadata: {area: hours}
    repeat:
      runs: 3
      pass: 2
    options:
      prefix: "Please. "
    assert:
      - type: contains
        value: Bonn
        weight: 2
        metric: Place
      - type: similar
        value: When does it open?
        threshold: 0.2
        doubt: 0.1
      - type: llm-rubric
        value: Is it polite?
        when: unsure
      - type: assert-set
        threshold: 0.5
        assert:
          - type: icontains-any
            value: [open, closed]
          - type: regex
            value: "[a-z]+"
      - type: grounded
        policy: default
        weight: 0
      - type: means
        value: When do you open?
        threshold: 0.1
        weight: 0
  - description: validators
    vars: {question: Hello}
    providerOutput: It is sunny in Tokyo.
    embedding_validation:
      - type: drift_threshold
        expected: The weather in Tokyo is sunny.
        threshold: 0.9
      - type: refusal_cluster
        threshold: 0.3
      - type: cluster_classification
        clusters:
          good: [It is sunny]
          bad: [It is raining]
        expected_cluster: good
      - type: trajectory
        max_heller_score: 0.9
"""

SLIPS = (
    # A key with a letter too many, too few or in the wrong place.
    ("prompts:", "promts:"),
    ("providers:", "provider:"),
    ("defaultTest:", "defaultTests:"),
    ("defaultTest:", "default_test:"),
    ("tests:\n", "test:\n"),
    ("description: opening", "descripton: opening"),
    ("    vars:\n", "    var:\n"),
    ("    threshold: 0.5\n    metadata", "    treshold: 0.5\n    metadata"),
    ("    metadata: {area", "    metdata: {area"),
    ("    repeat:\n", "    repeats:\n"),
    ("      runs: 3", "      run: 3"),
    ("      pass: 2", "      passes: 2"),
    ("    options:\n", "    option:\n"),
    ("      prefix:", "      prefx:"),
    ("    assert:\n      - type: contains", "    assertt:\n      - type: contains"),
    ("    assert:\n      - type: contains", "    asserts:\n      - type: contains"),
    ("    assert:\n      - type: contains", "    Assert:\n      - type: contains"),
    ("        value: Bonn", "        vaule: Bonn"),
    ("        weight: 2", "        wieght: 2"),
    ("        metric: Place", "        metrics: Place"),
    ("        threshold: 0.2", "        treshold: 0.2"),
    ("        threshold: 0.2", "        Threshold: 0.2"),
    ("        doubt: 0.1", "        doubts: 0.1"),
    ("        when: unsure", "        wen: unsure"),
    ("        policy: default", "        polcy: default"),
    ("    embedding_validation:", "    embeding_validation:"),
    ("    embedding_validation:", "    embedding_validations:"),
    ("    embedding_validation:", "    embedding-validation:"),
    ("        expected: The", "        expect: The"),
    ("        threshold: 0.9", "        treshold: 0.9"),
    ("        threshold: 0.3", "        thresholds: 0.25"),
    ("        clusters:", "        cluster:"),
    ("        expected_cluster: good", "        expected_clusters: good"),
    ("        expected_cluster: good", "        expected: good"),
    ("        max_heller_score: 0.9", "        max_heller: 0.9"),
    ("    label: desk", "    lable: desk"),
    ("    raw: ", "    rwa: "),
    ("    providerOutput:", "    provideroutput:"),
    # A word that is none of the known ones.
    ("type: contains\n", "type: contain\n"),
    ("type: contains\n", "type: contians\n"),
    ("type: not-contains", "type: not-contain"),
    ("type: not-contains", "type: notcontains"),
    ("type: similar", "type: similiar"),
    ("type: similar", "type: Similar"),
    ("type: llm-rubric", "type: llm_rubric"),
    ("type: assert-set", "type: assert_set"),
    ("type: icontains-any", "type: icontainsany"),
    ("type: regex", "type: regexp"),
    ("type: grounded", "type: ground"),
    ("type: means", "type: mean"),
    ("type: drift_threshold", "type: drift_treshold"),
    ("type: drift_threshold", "type: drift-threshold"),
    ("type: refusal_cluster", "type: refusal"),
    ("type: cluster_classification", "type: cluster"),
    ("type: trajectory", "type: trajectories"),
    ("policy: default", "policy: defualt"),
    ("when: unsure", "when: fail"),
    ("id: echo", "id: ehco"),
    ("expected_cluster: good", "expected_cluster: goood"),
    # A value of the wrong kind, or out of its bounds.
    ("threshold: 0.2", "threshold: high"),
    ("threshold: 0.2", 'threshold: "0.2"'),
    ("threshold: 0.2", "threshold: .nan"),
    ("threshold: 0.2", "threshold:"),
    ("weight: 2", "weight: -1"),
    ("weight: 2", "weight: heavy"),
    ("runs: 3", "runs: 0"),
    ("runs: 3", "runs: 1"),
    ("pass: 2", "pass: 4"),
    ("pass: 2", "pass: 1.5"),
    ("runs: 3", "runs: true"),
    ('value: "[a-z]+"', 'value: "[a-z"'),
    ("value: [open, closed]", "value: []"),
    ("good: [It is sunny]", "good: []"),
    ("good: [It is sunny]", "good: It is sunny"),
    ("max_heller_score: 0.9", "max_heller_score: low"),
    ("vars: {question: Hello}", "vars: Hello"),
    ("threshold: 0.2", "threshold: -1"),
    ("threshold: 0.9", "threshold: 2"),
    ("threshold: 0.3", "threshold: 0"),
    ("max_heller_score: 0.9", "max_heller_score: 1.0"),
    ("threshold: 0.5\n        assert", "threshold: 0\n        assert"),
    ("weight: 2", "weight: 1e9"),
    ("value: Bonn", "value: 007"),
    ("value: Bonn", "value: 3.10"),
    ("value: Bonn", "value: file://bonn.txt"),
    ("value: [open, closed]", "value: ['file://open.txt', closed]"),
    ("vars: {question: Hello}", "vars: {question: Hello, zip: 01234}"),
    ("vars: {question: Hello}", "vars: {question: Hello, of: {a: '{{nobody}}'}}"),
    ("metadata: {area: hours}", "metadata: {area: .inf}"),
    ('value: "[a-z]+"', 'value: ""'),
    ("expected: The weather in Tokyo is sunny.", "expected: file://tokyo.txt"),
    ("good: [It is sunny]", "good: ['file://sunny.txt']"),
    ("providerOutput: It is sunny in Tokyo.", "providerOutput: file://tokyo.txt"),
    # A value that is not there.
    ("        value: Bonn\n", ""),
    ("        value: Is it polite?\n", ""),
    ("        expected: The weather in Tokyo is sunny.\n", ""),
    ("        expected_cluster: good\n", ""),
    ("      - type: contains\n        value: Bonn", "      - value: Bonn"),
    ("      - type: drift_threshold\n        expected", "      - expected"),
    # Indented wrongly, twice there, or not YAML.
    ("    assert:\n      - type: contains", "  assert:\n      - type: contains"),
    ("        weight: 2", "      weight: 2"),
    ("    repeat:\n      runs: 3\n      pass: 2\n", "    repeat:\n    runs: 3\n    pass: 2\n"),
    ("    threshold: 0.5\n    metadata", "    threshold: 0.5\n    threshold: 0.1\n    metadata"),
    ("        value: Bonn\n", "        value: Bonn\n        value: Berlin\n"),
    ("    metadata: {area: hours}", "    metadata: {area: hours"),
    ("    metadata: {area: hours}", "\tmetadata: {area: hours}"),
    # A variable that nobody gives.
    ("in {{city}}?", "in {{citty}}?"),
    ("line: {{question}}", "line: {{qestion}}"),
    ("line: {{question}}", "line: {{question}"),
    ("value: Bonn", "value: '{{town}}'"),
)
