/** A path of this server and nothing else, or null (RFC 9700 section 4.11: no open redirector). */
export function localDestination(given: string | undefined): string | null {
  if (given === undefined || !/^\/(?![/\\])[^\\\s\p{Cc}]*$/u.test(given)) return null
  const here = 'http://here.invalid'
  if (!URL.canParse(given, here)) return null
  const { origin, pathname, search } = new URL(given, here)
  return origin === here && !pathname.startsWith('//') ? pathname + search : null
}
