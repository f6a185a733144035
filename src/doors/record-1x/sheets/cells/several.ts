/** Several values in one cell: `Kale; Chard; "Beans; dry"`. */
export const joinedValues = (values: readonly string[]): string => values.map(listed).join('; ')

/** A value is quoted where it would otherwise end early, or be taken for one that is. */
const listed = (value: string): string => (/;|^"|^\s|\s$|^$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

/** The values of a cell, as they were before they were joined; white space around them does not count. */
export function separateValues(cell: string): readonly string[] {
  const values: string[] = []
  const each = /\s*(?:"((?:[^"]|"")*)"\s*(?=;|$)|([^;]*))(;|$)/gy
  for (let found = each.exec(cell); found !== null; found = each.exec(cell)) {
    const [, quoted, bare = '', end] = found
    values.push(quoted === undefined ? bare.trim() : quoted.replaceAll('""', '"'))
    if (end === '') break
  }
  return values
}
