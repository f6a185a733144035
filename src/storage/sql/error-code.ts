/** The code that the system or a driver gave an error, such as ENOENT; empty where there is none. */
export const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')
