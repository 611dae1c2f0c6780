import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Installed, installTarball, run, SDK } from "./installed.ts"

let installed: Installed

beforeAll(() => {
  installed = installTarball()
})
afterAll(() => rmSync(installed.folder, { recursive: true }))

const { version, exports: entries } = JSON.parse(readFileSync(join(SDK, "package.json"), "utf8"))

describe("the tarball", () => {
  it("holds what is built, its types, and no more", () => {
    const others = installed.files.filter(
      (file) => !/^dist\/([\w/]+(\.d\.ts|\.js)|languages\/\w\w\.json)$/.test(file),
    )
    expect(others.sort()).toEqual(["README.md", "dist/LICENSE", "package.json"])
    expect(installed.files.filter((file) => /test|scripted|\bscript\./i.test(file))).toEqual([])
  })

  it("has every file that an entry names", () => {
    const named = Object.values<string | Record<string, string>>(entries)
      .flatMap((entry) => (typeof entry === "string" ? [entry] : Object.values(entry)))
      .map((file) => file.replace("./", ""))
    expect(named).toContain("dist/index.js")
    for (const file of named) expect(installed.files).toContain(file)
  })

  it("holds one script that says which version it is", () => {
    const script = readFileSync(
      join(installed.folder, "node_modules/sensecheck-ask/dist/sensecheck.js"),
      "utf8",
    )
    expect(script).toMatch(new RegExp(`^/\\*! sensecheck-ask ${version.replaceAll(".", "\\.")} `))
    expect(script).toContain("{Sensecheck:")
  })

  it("holds a script that is read the same in any charset, and no line breaks of style sheets", () => {
    const script = readFileSync(join(SDK, "dist/sensecheck.js"), "utf8")
    expect(script).toMatch(/^[\t\n -~]+$/)
    expect(script).toContain("\\u2026")
    expect(readFileSync(join(SDK, "dist/answers.js"), "utf8")).toMatch(/^[\t\n -~]+$/)
    expect(script).not.toMatch(/\}\n[.:@]/)
  })
})

describe("without a document", () => {
  it.each([
    ["sensecheck-ask", ["RagChatbot", "SensecheckError", "createClient", "defineElement", "mount"]],
    ["sensecheck-ask/client", ["SensecheckError", "createClient"]],
    ["sensecheck-ask/element", []],
    ["sensecheck-ask/react", ["SensecheckAsk"]],
  ])("%s can be imported", (entry, names) => {
    const code = `
      if (typeof document !== "undefined") throw new Error("a document was found")
      console.log(JSON.stringify(Object.keys(await import("${entry}")).sort()))`
    const said = run(process.execPath, ["--input-type=module", "--eval", code], installed.folder)
    expect(JSON.parse(said)).toEqual(names)
  })
})

describe("the types", () => {
  const consumer = `
    import { createClient, mount, RagChatbot, SensecheckError } from "sensecheck-ask"
    import type { AnswerReply, Handle, MessageFlags, RagChatbotOptions, SelectedTextReply } from "sensecheck-ask"
    import { createClient as alone, type AnswerEvent } from "sensecheck-ask/client"
    import "sensecheck-ask/element"
    import { SensecheckAsk } from "sensecheck-ask/react"

    export async function asked(): Promise<AnswerReply> {
      const client = createClient({ endpoint: "", key: "pk_a" })
      for await (const event of alone({ endpoint: "" }).stream({ question: "?", passage: "." })) {
        const told: AnswerEvent = event
        if (told.kind === "end") return told.reply
      }
      // @ts-expect-error a thumb goes up or down
      await client.feedback("id", "sideways")
      // @ts-expect-error an endpoint is wanted
      createClient({})
      throw new SensecheckError("cut")
    }
    export const widget: Handle = mount({ endpoint: "", theme: "dark" })
    export const plain: Handle = mount({ endpoint: "", key: undefined, strings: { ask: undefined } })
    const marks: MessageFlags = { isOutOfScope: true, confidence: 0 }
    const chat: RagChatbotOptions = { apiUrl: "", sessionId: undefined, showMessage: () => void marks }
    export const replied = (): Promise<SelectedTextReply> => new RagChatbot(chat).querySelectedText("?", ".")
    export const drawn: null = SensecheckAsk({ endpoint: "", apiKey: "pk_a" })
    export class Loud extends RagChatbot {
      override _showMessage(text: string): void {
        const certain: string = text
        void certain
      }
    }
    export async function known(reply: AnswerReply) {
      const start: number | undefined = reply.claims?.[0]?.evidence?.[0]?.start
      // @ts-expect-error an answer is a text, and not anything
      const wrong: number = reply.answer
      return [start, wrong, reply.missing.length]
    }
  `
  it.each([
    ["bundler", "ESNext"],
    ["node16", "Node16"],
  ])("are right for whoever resolves modules as %s", (moduleResolution, module) => {
    const { folder } = installed
    writeFileSync(join(folder, "consumer.ts"), consumer)
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      target: "ES2022",
      lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
      types: [],
      module,
      moduleResolution,
    }
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }))
    run(process.execPath, [join(SDK, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.json"], folder)
  })
})

describe("a bundler", () => {
  async function bundled(contents: string): Promise<string> {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: installed.folder },
      bundle: true,
      minify: true,
      format: "esm",
      target: "es2022",
      write: false,
      logLevel: "error",
    })
    return outputFiles.map(({ text }) => text).join("")
  }

  it("takes no more than 3 kB for the client alone", async () => {
    const code = await bundled(`export { createClient } from "sensecheck-ask"`)
    expect(code).toContain("/v1/answers")
    expect(code).not.toMatch(/attachShadow|customElements|query-selected-text/)
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(3_000)
  })

  it("leaves out all of it where nothing is used", async () => {
    expect((await bundled(`import "sensecheck-ask"`)).trim()).toBe("")
  })

  it("keeps the element, which registers itself", async () => {
    expect(await bundled(`import "sensecheck-ask/element"`)).toContain("customElements")
  })
})
