/** Whoever asks for the driver gets the slow one, except for the slow one itself. */
const slow = new URL('slow-driver.mjs', import.meta.url).href

/** @type {import('node:module').ResolveHook} */
export function resolve(specifier, context, next) {
  if (specifier !== '@photostructure/sqlite' || context.parentURL === slow) return next(specifier, context)
  return { url: slow, shortCircuit: true }
}
