export function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  const { value: text } = (value ?? {}) as { readonly value?: unknown }
  return typeof text === 'string' ? text : ''
}

/** Another text in the same format. */
export function richTextWith(value: unknown, text: string): unknown {
  if (text === '') return undefined
  return typeof value === 'object' && value !== null ? { ...value, value: text } : { value: text }
}
