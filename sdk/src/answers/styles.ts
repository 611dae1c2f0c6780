/** Styles of answers; added when the first question is asked. */
export const ANSWER_STYLES = `
.answer>*+*{margin-top:8px}
.answer p,.answer li{white-space:pre-line}
.answer ul,.answer ol{padding-inline-start:22px}
.answer li+li{margin-top:4px}
code{font:.88em ui-monospace,Menlo,Consolas,monospace;background:#8882;border-radius:5px;padding:2px 5px}
pre{overflow:auto;background:#8882;border-radius:10px;padding:10px 12px}
pre code{background:0 0;padding:0;overflow-wrap:normal}
a{color:var(--accent)}
.mark{display:inline-flex;align-items:center;justify-content:center;min-width:24px;height:24px;margin-inline-start:3px;vertical-align:middle;border:1px solid #8884;border-radius:8px;background:#8881;font:600 12px/1 system-ui,sans-serif;text-decoration:none}
.mark:hover{background:var(--accent);color:var(--bg)}
.related{list-style:none}
.related li{margin-top:8px}
.related button{width:100%;text-align:start;color:inherit;font-size:14px;font-weight:400;padding:9px 12px;border-radius:12px}
b{display:block;color:var(--accent);font-weight:600}
.votes{gap:0;margin-inline-start:-12px}
.votes button{display:grid;place-items:center;border-color:#0000;color:inherit}
.down svg{transform:scale(-1)}
[aria-pressed=true]{color:var(--accent)!important}
[aria-pressed=true] svg{fill:currentColor}
.exchange{margin-bottom:18px}
details>div>div{margin:10px 0 22px}
details{margin-bottom:14px}
summary{display:flex;align-items:center;min-height:44px;font-size:14px;font-weight:600;color:var(--accent);cursor:pointer;border-radius:10px}
summary:before{content:"";border:solid;border-width:0 2px 2px 0;padding:3px;margin-inline:2px 12px;transform:rotate(-45deg)}
[open]>summary:before{transform:rotate(45deg)}
@media(forced-colors:active){.votes button,.mark{border-color:currentColor}}
`
