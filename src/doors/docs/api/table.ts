import { type Html, html } from '../../http/html.ts'

/** A table that a narrow screen can show row by row, each cell with its label. */
export const table = (labels: readonly string[], rows: readonly (readonly Html[])[]): Html => html`<table>
<thead><tr>${labels.map((label) => html`<th scope="col">${label}</th>`)}</tr></thead>
<tbody>${rows.map(
  (cells) =>
    html`<tr>${cells.map((cell, column) => html`<td data-label="${labels[column] ?? ''}">${cell}</td>`)}</tr>\n`,
)}</tbody>
</table>`

export const joined = (parts: readonly Html[], between: string): Html =>
  html`${parts.map((part, at) => html`${at === 0 ? '' : between}${part}`)}`
