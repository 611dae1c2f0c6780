/** A theme has three colours: `--sensecheck-accent`, `--sensecheck-text` and `--sensecheck-background`; and a font. */
export const STYLES = `
:host{all:initial!important;display:contents!important;color-scheme:var(--sensecheck-scheme,light dark)!important}
*{box-sizing:border-box;margin:0;padding:0}
[hidden],p:empty{display:none!important}
.ask-button,.panel{--accent:var(--sensecheck-accent,LinkText);--bg:var(--sensecheck-background,Canvas);background:var(--bg);color:var(--sensecheck-text,CanvasText);position:fixed;z-index:9999999;border:1px solid #8884;border-radius:22px;box-shadow:0 2px 6px #0001,0 12px 40px #0003;font:15px/1.55 var(--sensecheck-font,system-ui,sans-serif);overflow-wrap:anywhere}
button{font:inherit;font-weight:600;color:var(--accent);background:0 0;border:1px solid #8884;border-radius:22px;padding:0 14px;min-width:44px;min-height:44px;cursor:pointer}
button:hover{background:#8882}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
svg{width:20px;height:20px;display:block;margin:auto;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.ask-button button{border:0;padding:0 18px}
.panel{display:flex;flex-direction:column;width:384px;max-height:min(620px,var(--max));border-radius:18px;overflow:hidden;outline:0}
.bottom-sheet{inset-inline:0;width:auto;border-radius:18px 18px 0 0}
header,form,.row{display:flex;align-items:center;gap:8px}
header{padding:6px 6px 0}
h2{flex:1;padding:0 14px}
h2,.error{font:inherit;font-weight:600}
header button{border:0;padding:0;color:inherit}
.chat{overflow:auto;padding:0 20px 14px;outline-offset:-2px}
blockquote{border-inline-start:3px solid var(--accent);padding-inline-start:12px}
blockquote,.heading,.note,.progress{font-size:14px;opacity:.75}
.heading{font-weight:600;font-size:13px}
.result>*,.exchange>*,.note{margin-top:12px}
.question{width:fit-content;max-width:88%;margin-inline-start:auto;padding:8px 14px;border-radius:18px;border-end-end-radius:5px;background:#8882}
.answer{line-height:1.7}
p.answer{white-space:pre-wrap}
p,blockquote{unicode-bidi:plaintext}
.row{flex-wrap:wrap}
.row button{font-weight:500;text-align:start}
.progress:before{content:"● ";color:var(--accent);animation:pulse 1.6s infinite}
@keyframes pulse{50%{opacity:.2}}
form{align-items:end;padding:12px;border-top:1px solid #8883}
textarea{field-sizing:content;flex:1;min-width:0;min-height:44px;max-height:120px;resize:none;font:inherit;font-size:16px;color:inherit;background:0 0;border:1px solid #888;border-radius:22px;padding:9px 16px;outline-offset:-1px!important}
::placeholder{color:inherit;opacity:.75}
.send,.send:hover{padding:0;background:var(--accent);color:var(--bg)}
[aria-disabled=true]{opacity:.5}
.sr-only{position:fixed;clip-path:inset(50%)}
@supports(color:light-dark(#34c,#abf)){.ask-button,.panel{--accent:var(--sensecheck-accent,light-dark(#3443c4,#b0bcff));--bg:var(--sensecheck-background,light-dark(#fff,#1c1e24))}}
@media print{*{display:none!important}}
@media(prefers-reduced-motion){:before{animation:none!important}}
`
