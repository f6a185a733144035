/** A parameter as PHP reads it: `id[]=2`, `id[0]=2` and `area[tid][]=9` have steps. */
export interface Parameter {
  readonly name: string
  readonly steps: readonly string[]
  readonly value: string
}

export function parametersIn(query: string): Parameter[] {
  const counts = new Map<string, number>()
  return query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const [key = '', ...rest] = part.split('=')
      const [name = '', ...steps] = decoded(key).split('[')
      return { name, steps: steps.map((step) => step.replace(/\]$/, '')), value: decoded(rest.join('=')) }
    })
    .map((parameter) => ({ ...parameter, steps: numbered(parameter, counts) }))
    .filter(({ name }) => name !== 'q')
}

const decoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '))

/** `[]` means the next number. */
function numbered({ name, steps }: Parameter, counts: Map<string, number>): string[] {
  return steps.map((step) => {
    if (step !== '') return step
    const nth = counts.get(name) ?? 0
    counts.set(name, nth + 1)
    return String(nth)
  })
}

export function addressWith(address: string, parameters: readonly Parameter[]): string {
  const parts = parameters.map(
    ({ name, steps, value }) =>
      `${encodeURIComponent([name, ...steps.map((step) => `[${step}]`)].join(''))}=${encodeURIComponent(value)}`,
  )
  return parts.length === 0 ? address : `${address}?${parts.join('&')}`
}

export const lastValueOf = (parameters: readonly Parameter[], wanted: string): string | undefined =>
  parameters.findLast(({ name, steps }) => name === wanted && steps.length === 0)?.value

export function withPage(parameters: readonly Parameter[], page: number): Parameter[] {
  const own = { name: 'page', steps: [], value: String(page) }
  const isPage = ({ name }: Parameter) => name === 'page'
  return parameters.some(isPage) ? parameters.map((one) => (isPage(one) ? own : one)) : [...parameters, own]
}
