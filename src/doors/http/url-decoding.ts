/** The text of a percent-encoded name or value of a query or form, `+` being a space; null when it is not proper UTF-8. */
export function decodedPart(part: string): string | null {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    return null
  }
}
