/** The rows of a CSV file, read as slowly and literally as RFC 4180 says: shares nothing with what writes or reads them in src/. */
export function rowsOfCsv(text: string, separator = ','): string[][] {
  const rows: string[][] = []
  let [row, cell, isQuoted] = [[] as string[], '', false]
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (text[at + 1] === '"') {
        cell += '"'
        at += 1
      } else isQuoted = false
    } else if (character === '"' && cell === '') isQuoted = true
    else if (character === separator) {
      row.push(cell)
      cell = ''
    } else if (character === '\r' && text[at + 1] === '\n') {
      rows.push([...row, cell])
      ;[row, cell] = [[], '']
      at += 1
    } else cell += character
  }
  if (isQuoted || row.length > 0 || cell !== '') throw new Error('The file ends in the middle of a row')
  return rows
}

/** The same as objects by the words of the first row. */
export function recordsOfCsv(text: string, separator = ','): Record<string, string>[] {
  const [head = [], ...rows] = rowsOfCsv(text, separator)
  return rows.map((row) => {
    if (row.length !== head.length) throw new Error(`A row has ${row.length} cells under ${head.length} words`)
    return Object.fromEntries(head.map((name, column) => [name, row[column] ?? '']))
  })
}
