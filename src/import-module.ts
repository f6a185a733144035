/** Whatever the file at this address exports. A file of its own also in the program: Node imports only for what it has loaded itself. */
export const importModule = (address: string): Promise<{ readonly default?: unknown }> => import(address)
