/** A spreadsheet takes this for a formula. A line feed or full-width sign in front counts: some programs drop or narrow it. */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/

/** As numbers are written here; `+49` is none, since a spreadsheet would drop its plus. */
const number = /^-?(?:\d+|\d*\.\d+)$/

/** A cell as it goes into a file that spreadsheets open: what one would work out has a mark in front. */
export const guarded = (cell: string): string => (formula.test(cell) && !number.test(cell) ? `'${cell}` : cell)

/** The same cell without that mark; what a person has written stays as it is. */
export const unguarded = (cell: string): string => (cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell)
