// Fails where src/api/generated.ts is not what the description makes.
import { spawnSync } from "node:child_process"

const ours = ["api/openapi.json", "--output", "src/api/generated.ts"]
const made = spawnSync("npx", ["--no-install", "openapi-typescript", ...ours, "--check"], {
  stdio: "inherit",
})
if (made.error) throw made.error
if (made.status !== 0) {
  console.error("src/api/generated.ts is not what api/openapi.json makes; run: npm run api")
  process.exit(1)
}
