/** What must be there by now; anything else is a bug, and nothing may be stored. */
export function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('Something that was just looked up or stored is not there')
  return value
}
