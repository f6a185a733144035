/** Whether what is kept of a record is no JSON, or JSON that no field has, such as a number where a list belongs. */
export const isMalformed = (error: unknown): boolean => error instanceof SyntaxError || error instanceof TypeError

/** What comes of reading what is kept, or null where nothing can be made of it. */
export function unlessMalformed<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (isMalformed(error)) return null
    throw error
  }
}
