import { createHash } from "node:crypto"
import type { Plugin } from "vite"

type Bundle = Parameters<NonNullable<Extract<Plugin["generateBundle"], (...a: never[]) => unknown>>>[1]

/**
 * Inlines script and style into the page, with a policy that allows nothing else to run or load.
 * A page that `asks` may also send requests to the server that it comes from.
 */
export function singleFile(name: string, from: string, asks = false): Plugin {
  return {
    name: "single-file",
    enforce: "post",
    generateBundle(_, bundle) {
      const script = takeFiles(bundle, ".js")
        .replaceAll("</script", "<\\/script")
        .replaceAll("<!--", "<\\!--")
        .trim()
      const style = takeFiles(bundle, ".css").trim()
      const page = bundle[from]
      if (page?.type !== "asset") throw new Error(`the build did not produce \`${from}\``)
      const bare = String(page.source).replace(
        /\s*<script type="module".*?<\/script>|\s*<link rel="stylesheet".*?>/g,
        "",
      )
      delete bundle[from]
      const source = bare
        .replace("<!--sensecheck:policy-->", () => policy(script, style, asks))
        .replace("</head>", () => `  <style>${style}</style>\n  </head>`)
        .replace("</body>", () => `  <script type="module">${script}</script>\n  </body>`)
      this.emitFile({ type: "asset", fileName: name, source })
    },
  }
}

/** The contents of all files with an extension, which are removed from the bundle. */
function takeFiles(bundle: Bundle, extension: string): string {
  return Object.keys(bundle)
    .filter((name) => name.endsWith(extension))
    .sort()
    .map((name) => {
      const file = bundle[name]!
      delete bundle[name]
      return file.type === "chunk" ? file.code : String(file.source)
    })
    .join("\n")
}

function policy(script: string, style: string, asks: boolean): string {
  const rules = [
    "default-src 'none'",
    `script-src '${hash(script)}'`,
    `style-src '${hash(style)}'`,
    ...(asks ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ]
  return `<meta http-equiv="Content-Security-Policy" content="${rules.join("; ")}" />`
}

function hash(text: string): string {
  return `sha256-${createHash("sha256").update(text, "utf8").digest("base64")}`
}
