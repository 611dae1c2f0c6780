import type { Index, Cutoff } from "../src/data/run"

export const HALF: Cutoff = {
  line: 0.5,
  good: "above",
  doubt: [0.4, 0.6],
  words: "at least 0.5 (uncalibrated)",
  calibrated: false,
}

/** Four results: two tests, each from two sources. */
export function sampleIndex(part: Partial<Index> = {}): Index {
  return {
    battery: "a.yaml",
    description: "",
    digest: "d",
    version: "1",
    encoder: "minilm",
    encoders: [],
    chosen: {},
    tests: 2,
    cells: 4,
    results: 4,
    outcomes: { pass: 2, fail: 1, unsure: 0, error: 1, measured: 0 },
    inconsistent: 1,
    passRate: 0.5,
    sources: ["small", "large"],
    wordings: [""],
    lines: [HALF],
    assertions: [
      { type: "similar", metric: "" },
      { type: "contains", metric: "style" },
    ],
    measures: ["similar", "contains"],
    rows: {
      test: [1, 1, 2, 2],
      title: ["Opening hours", "Opening hours", "Prices", "Prices"],
      source: [0, 1, 0, 1],
      wording: [0, 0, 0, 0],
      outcome: ["pass", "fail", "pass", "error"],
      score: [1, 0, 1, null],
      consistency: ["", "inconsistent 1/3", "consistent pass", ""],
      reason: ["all is well", "too far", "all is well", "no answer"],
      assertions: [
        [[0, "pass", 1]],
        [
          [0, "fail", 0],
          [1, "pass", 1],
        ],
        [[1, "pass", 1]],
        [],
      ],
      readings: [
        [[0, 0.7, "pass", 0]],
        [
          [0, 0.2, "fail", 0],
          [1, 1, "pass", 0],
        ],
        [[1, 1, "pass", 0]],
        [],
      ],
    },
    packs: [3, 1],
    ...part,
  }
}
