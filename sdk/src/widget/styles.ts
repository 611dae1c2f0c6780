/** A theme has three colours: `--sensecheck-accent`, `--sensecheck-text` and `--sensecheck-background`. */
export const STYLES = `
:host{all:initial!important;display:contents!important;color-scheme:var(--sensecheck-scheme,light dark)!important}
*{box-sizing:border-box;margin:0;padding:0}
[hidden],p:empty{display:none!important}
.ask-button,.panel{--accent:var(--sensecheck-accent,LinkText);background:var(--sensecheck-background,Canvas);color:var(--sensecheck-text,CanvasText);position:fixed;z-index:9999999;border:1px solid #8884;border-radius:22px;box-shadow:0 8px 32px #0003;font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
button{font:inherit;font-weight:600;color:var(--accent);background:0 0;border:1px solid #8884;border-radius:10px;padding:0 12px;min-width:44px;min-height:44px;cursor:pointer}
button:hover{background:#8882}
[aria-pressed=true]{border:2px solid}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.ask-button button{border:0;border-radius:22px}
.panel{display:flex;flex-direction:column;width:384px;max-height:min(600px,var(--max));border-radius:16px;overflow:hidden;outline:0}
.bottom-sheet{inset-inline:0;width:auto;border-radius:16px 16px 0 0}
header,form,.row{display:flex;align-items:center;gap:6px}
header{padding:6px 6px 0}
h2{flex:1;padding:0 12px}
h2,.question,.error,b{font:inherit;font-weight:600}
header button{border:0;color:inherit;font-size:22px;font-weight:400}
.chat{overflow:auto;padding:0 18px 12px;outline-offset:-2px}
blockquote{border-inline-start:3px solid var(--accent);padding-inline-start:10px}
blockquote,.heading,.note,.progress{font-size:14px;opacity:.75}
.result>*,.note,li{margin-top:10px}
.question{border-top:1px solid #8884;padding-top:12px}
.answer{white-space:pre-wrap}
p,blockquote{unicode-bidi:plaintext}
sup{line-height:0;color:var(--accent)}
.row{flex-wrap:wrap}
ul{list-style:none}
li button{width:100%;text-align:start;color:inherit;font-size:14px;font-weight:400;padding:9px 12px}
b{display:block;color:var(--accent)}
.progress:before{content:"● ";color:var(--accent);animation:pulse 1.6s infinite}
@keyframes pulse{50%{opacity:.2}}
form{align-items:end;padding:12px;border-top:1px solid #8884}
textarea{field-sizing:content;flex:1;min-width:0;min-height:44px;max-height:120px;resize:none;font:inherit;font-size:16px;color:inherit;background:0 0;border:1px solid #888;border-radius:10px;padding:9px 12px;outline-offset:-1px!important}
::placeholder{color:inherit;opacity:.75}
.send,.send:hover{background:var(--accent);color:var(--sensecheck-background,Canvas);font-size:20px}
[aria-disabled=true]{opacity:.5}
.sr-only{position:fixed;clip-path:inset(50%)}
@supports(color:light-dark(#34c,#abf)){.ask-button,.panel{--accent:var(--sensecheck-accent,light-dark(#34c,#abf))}}
@media print{*{display:none!important}}
@media(prefers-reduced-motion){:before{animation:none!important}}
`
