import { expect, test } from "vitest"
import { PAYLOADS } from "../../tests/browsers/payloads.ts"
import { renderMarkdown, renderPlain } from "./markdown.ts"

const TAGS = new Set(["P", "UL", "OL", "LI", "PRE", "CODE", "STRONG", "EM", "A", "SUP"])

function rendered(text: string, ends: readonly number[] = [], render = renderMarkdown): HTMLElement {
  const node = document.createElement("div")
  const mark = (index: number) => {
    const found = document.createElement("sup")
    found.textContent = `${index + 1}`
    return found
  }
  node.append(...render(text, ends, mark))
  return node
}
const html = (text: string, ends?: readonly number[]) => rendered(text, ends).innerHTML

test.each([
  ["a **b** c", "<p>a <strong>b</strong> c</p>"],
  ["an *emphasis* of one", "<p>an <em>emphasis</em> of one</p>"],
  ["2 * 3 * 4 = 24", "<p>2 * 3 * 4 = 24</p>"],
  ["call `a < b` now", "<p>call <code>a &lt; b</code> now</p>"],
  ["**see `x*y*z`**", "<p><strong>see <code>x*y*z</code></strong></p>"],
  ["def __init__(self), a_b_c", "<p>def __init__(self), a_b_c</p>"],
  ["one\ntwo\n\nthree", "<p>one\ntwo</p><p>three</p>"],
  ["# Title\nText", "<p><strong>Title</strong></p><p>Text</p>"],
  ["- a\n- b\n  more\n\nend", "<ul><li>a</li><li>b\nmore</li></ul><p>end</p>"],
  ["3. c\n4) d", '<ol start="3"><li>c</li><li>d</li></ol>'],
  ["- a\n1. b", '<ul><li>a</li></ul><ol start="1"><li>b</li></ol>'],
  ["> quoted\n> twice", "<p>quoted\ntwice</p>"],
  ["```js\n**a** <b>\n# c\n```\nend", '<pre tabindex="0"><code>**a** &lt;b&gt;\n# c</code></pre><p>end</p>'],
  ["~~~\nnever closed", '<pre tabindex="0"><code>never closed</code></pre>'],
  ["\\*not\\* \\`this\\`", "<p>*not* `this`</p>"],
  ["![alt](https://away.example/x.png)", "<p>alt</p>"],
  ["", ""],
])("%j", (text, expected) => {
  expect(html(text)).toBe(expected)
})

test("a link leads to a page of the same site, and another address is text", () => {
  expect(rendered("[here](/guide)").querySelector("a")?.href).toBe(new URL("/guide", location.href).href)
  expect(html("[away](https://away.example/x)")).toBe("<p>away (https://away.example/x)</p>")
  expect(html("[run](javascript:canary)")).toBe("<p>run (javascript:canary)</p>")
  expect(html("[run](data:text/html,x)")).toBe("<p>run (data:text/html,x)</p>")
  expect(html("[run](//away.example)")).toBe("<p>run (//away.example)</p>")
})

test("marks stand behind their claims, wherever these end", () => {
  const text = "**One.** Two.\n- three\n```\nfour\n```\n"
  const at = (part: string) => text.indexOf(part) + part.length
  expect(html(text, [at("One."), at("Two."), at("three"), at("four"), text.length])).toBe(
    "<p><strong>One.<sup>1</sup></strong> Two.<sup>2</sup></p><ul><li>three<sup>3</sup></li></ul>" +
      '<pre tabindex="0"><code>four<sup>4</sup></code><sup>5</sup></pre>',
  )
})

test.each([[[5, 5, 5]], [[-4, 2, 900]], [[0]]])("positions that make no sense lose no text: %j", (ends) => {
  expect(rendered("Some text.", ends).textContent?.replace(/\d/g, "")).toBe("Some text.")
  expect(rendered("Some text.", ends, renderPlain).textContent?.replace(/\d/g, "")).toBe("Some text.")
})

test("a private character of the text is no mark", () => {
  expect(html("a\ue000b\ue0ff", [1])).toBe("<p>a<sup>1</sup>\ufffdb\ufffd</p>")
})

test("sentences of a passage stay as they are", () => {
  expect(rendered("# not **a** title", [3], renderPlain).innerHTML).toBe(
    "<p># n<sup>1</sup>ot **a** title</p>",
  )
})

test("no payload becomes an element or an attribute that it names", () => {
  for (const payload of PAYLOADS)
    for (const text of [
      payload,
      `**${payload}**`,
      `- ${payload}`,
      `\`${payload}\``,
      `[${payload}](${payload})`,
    ])
      for (const node of rendered(text, [1, text.length]).querySelectorAll("*")) {
        expect(TAGS).toContain(node.tagName)
        expect(node.getAttributeNames().filter((name) => !/^(href|start|tabindex)$/.test(name))).toEqual([])
        if (node instanceof HTMLAnchorElement) expect(new URL(node.href).origin).toBe(location.origin)
      }
})

test.each(["*", "**a", "[", "`", "](", "\\", "- ", "```\n", "![", "* a*", "*`*`", "**`", "*a `b` "])(
  "8,000 characters of %j are rendered in time",
  (piece) => {
    const long = piece.repeat(Math.ceil(8000 / piece.length))
    const start = performance.now()
    renderMarkdown(long, [], () => document.createElement("sup"))
    expect(performance.now() - start).toBeLessThan(5000)
  },
)
