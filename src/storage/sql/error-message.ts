/** What an error says, also where something else than an error was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
