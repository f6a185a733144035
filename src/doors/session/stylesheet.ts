export const stylesheet = `:root {
  color-scheme: light dark;
  --ground: #f4f1ea;
  --sheet: #fffdf8;
  --ink: #23281f;
  --soft: #586052;
  --line: #8b917f;
  --rule: #dcd8cb;
  --leaf: #2f6b34;
  --leaf-ink: #ffffff;
  --alert: #8f2416;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #171a15;
    --sheet: #20241d;
    --ink: #ecebe3;
    --soft: #b6bbab;
    --line: #7c8473;
    --rule: #3c4237;
    --leaf: #8cc98a;
    --leaf-ink: #10200f;
    --alert: #ffb3a5;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0;
  padding: 1rem;
  background: var(--ground);
  color: var(--ink);
  font: 1.0625rem/1.5 system-ui, sans-serif;
}
main {
  max-width: 34rem;
  margin: clamp(0rem, 6vh, 4rem) auto;
  padding: clamp(1rem, 4vw, 2rem);
  background: var(--sheet);
  border-radius: 0.75rem;
  overflow-wrap: anywhere;
}
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 2rem 0 0.5rem; font-size: 1.1875rem; }
p, ul { margin: 0 0 1rem; }
label, legend { display: block; margin: 1rem 0 0.25rem; font-weight: 600; padding: 0; }
fieldset { margin: 1rem 0 0; padding: 0; border: 0; }
legend { margin: 0; }
fieldset label { display: flex; gap: 0.5rem; align-items: center; min-height: 2.75rem; margin: 0; font-weight: 400; }
input:not([type="radio"]), select {
  width: 100%;
  min-height: 2.75rem;
  padding: 0.5rem 0.75rem;
  border: 1px solid var(--line);
  border-radius: 0.375rem;
  background: var(--sheet);
  color: inherit;
  font: inherit;
}
input[type="radio"] { width: 1.25rem; height: 1.25rem; accent-color: var(--leaf); }
button, a.button {
  display: inline-block;
  min-height: 2.75rem;
  margin: 1.25rem 0.5rem 0 0;
  padding: 0.5rem 1.25rem;
  border: 1px solid var(--leaf);
  border-radius: 0.375rem;
  background: var(--leaf);
  color: var(--leaf-ink);
  font: inherit;
  font-weight: 600;
  text-decoration: none;
  cursor: pointer;
}
button.quiet, a.quiet { background: transparent; color: var(--leaf); }
:focus-visible { outline: 3px solid var(--leaf); outline-offset: 2px; }
a { color: var(--leaf); }
.alert { padding: 0.75rem; border-left: 4px solid var(--alert); color: var(--alert); }
.soft { color: var(--soft); font-size: 0.9375rem; }
.rows { padding: 0; list-style: none; }
.rows > li {
  display: flex;
  flex-wrap: wrap;
  gap: 0.25rem 1rem;
  align-items: center;
  justify-content: space-between;
  padding: 0.75rem 0;
  border-top: 1px solid var(--line);
}
.rows > li > div { flex: 1 1 12rem; }
.rows p { margin: 0; }
.rows button { margin: 0; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.875em; }
body.document { padding: 0; }
.document header { padding: 0.75rem clamp(1rem, 4vw, 2rem); }
.document header a { display: inline-block; margin-right: 1.25rem; padding: 0.25rem 0; }
.document main {
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 0 2.5rem;
  max-width: 76rem;
  margin: 0 auto 2rem;
  border-radius: 0;
}
.document h1 { font-size: 1.75rem; }
.document h2 { margin-top: 2.5rem; font-size: 1.375rem; }
.document h3 { margin: 2rem 0 0.5rem; font-size: 1.125rem; }
.document .text > :first-child { margin-top: 0; }
.document li { margin-bottom: 0.375rem; }
.document li > p { margin-bottom: 0.375rem; }
.document ul, .document ol { padding-left: 1.375rem; }
.document img { display: block; max-width: min(100%, 22.5rem); height: auto; border: 1px solid var(--rule); border-radius: 0.5rem; }
.contents {
  max-height: 14rem;
  margin-bottom: 1.5rem;
  padding: 0.75rem 1rem;
  overflow-y: auto;
  border: 1px solid var(--rule);
  border-radius: 0.375rem;
  font-size: 0.9375rem;
}
.document .contents ul { margin: 0; padding: 0; list-style: none; }
.document .contents li { margin: 0; }
.contents a { display: inline-block; padding: 0.1875rem 0; text-decoration: none; }
.contents a:hover { text-decoration: underline; }
.contents .deeper { padding-left: 1rem; }
.columns { columns: 16rem; }
pre {
  margin: 0 0 1rem;
  padding: 0.75rem 1rem;
  overflow-x: auto;
  border: 1px solid var(--rule);
  border-radius: 0.375rem;
  background: var(--ground);
  line-height: 1.3;
}
pre code { font-size: inherit; overflow-wrap: normal; }
[role="status"] pre code { white-space: pre-wrap; overflow-wrap: anywhere; }
table { width: 100%; margin: 0 0 1.25rem; border-collapse: collapse; font-size: 0.9375rem; overflow-wrap: break-word; }
th, td { padding: 0.4375rem 0.75rem 0.4375rem 0; border-bottom: 1px solid var(--rule); text-align: left; vertical-align: top; }
th { color: var(--soft); font-weight: 600; }
td table { margin: 0.25rem 0; }
@media (min-width: 60rem) {
  .document main { grid-template-columns: 15rem minmax(0, 1fr); border-radius: 0.75rem; }
  .document h1, .document main > .text:nth-child(2) { grid-column: 1 / -1; }
  .contents { position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); padding: 0; border: 0; }
}
@media (max-width: 44rem) {
  table, thead, tbody, tr, td { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
  td { padding: 0.125rem 0; border: 0; overflow-wrap: anywhere; }
  td:empty { display: none; }
  td:not([data-label=""])::before { content: attr(data-label) ": "; color: var(--soft); font-size: 0.8125rem; font-weight: 600; }
  td:first-child { font-weight: 600; }
  td:first-child:not([data-label=""])::before { content: none; }
  td td { padding-left: 0.75rem; }
  pre { padding: 0.5rem; font-size: 0.75rem; }
}
`
