import { defineConfig } from "vitest/config"

const patient = { testTimeout: 120_000, hookTimeout: 300_000, maxWorkers: 2 }

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          environment: "happy-dom",
          include: ["src/**/*.test.{ts,tsx}"],
          testTimeout: 60_000,
        },
      },
      {
        test: { name: "package", environment: "node", include: ["tests/package/**/*.test.ts"], ...patient },
      },
      {
        test: { name: "browsers", environment: "node", include: ["tests/browsers/**/*.test.ts"], ...patient },
      },
    ],
  },
})
