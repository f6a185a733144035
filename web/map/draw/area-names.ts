/** Next free name: "North 3" after "North 2". */
export function nextName(last: string, taken: ReadonlySet<string>): string {
  const [, words = last, digits] = /^(.*?)\s*(\d+)$/.exec(last) ?? []
  for (let number = digits === undefined ? 2 : Number(digits) + 1; ; number++) {
    const name = `${words} ${number}`
    if (!taken.has(name)) return name
  }
}

/** "Mill Field 1" and so on, after existing names. */
export function bedNames(area: string, count: number, taken: ReadonlySet<string>): readonly string[] {
  let from = 1
  for (const name of taken) {
    const number = name.startsWith(`${area} `) ? Number(name.slice(area.length + 1)) : Number.NaN
    if (Number.isInteger(number) && number >= from) from = number + 1
  }
  return Array.from({ length: count }, (_, at) => `${area} ${from + at}`)
}

/** "North 3 B" for a part split off "North 3": its beds have numbers. */
export function partName(area: string, taken: ReadonlySet<string>): string {
  const whole = area.replace(/ [A-Z]$/, '')
  const letters = [...'BCDEFGHIJKLMNOPQRSTUVWXYZ']
  const letter = letters.find((one) => !taken.has(`${whole} ${one}`))
  return letter === undefined ? nextName(area, taken) : `${whole} ${letter}`
}
