/** Imports a module. It stays a separate file in the bundle: only files that Node itself loads can import. */
export const importModule = (address: string): Promise<{ readonly default?: unknown }> => import(address)
