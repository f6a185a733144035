/** The text of a percent-encoded name or value of a query or form, `+` being a space; null when it is not proper UTF-8. */
export function decodedPart(part: string): string | null {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    return null
  }
}

/** Likewise, but what is not proper is taken as it stands: some clients send values as they were typed. */
export function decodedOrAsItStands(part: string): string {
  const plain = part.replaceAll('+', ' ')
  return plain.replace(/(?:%[\da-f]{2})+/gi, (encoded) => decodedPart(encoded) ?? encoded)
}
