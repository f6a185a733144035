/** @typedef {import('./cases.mjs').Ask} Ask */

export const upTo = (/** @type {number} */ count) => Array.from({ length: count }, (_, n) => n)

/** @type {(path: string) => Ask} */
export const get = (path) => ({ method: 'GET', path, status: 200 })

/** Every log gets another name each time its turn comes (`@drive`, see driving.mjs). @param {number} n @param {number} logs @returns {Ask} */
export function changedLog(n, logs) {
  const name = `Looked at it again ${n}, @drive`
  const body = { name, notes: { value: `As before, turn ${n}.`, format: 'farm_format' } }
  return { method: 'PUT', path: `/log/${1001 + (n % logs)}`, status: 200, body: JSON.stringify(body) }
}
