/** @typedef {{ [member: string]: any }} Schema */

/**
 * The types of the records of both generations, made of the description of the interface.
 * @param {Schema} description
 */
export function typesOfRecords({ components: { schemas } }) {
  const names = Object.keys(schemas)
  const newer = names.filter((name) => /^[a-z_]+--[a-z_]+$/.test(name))
  const older = ['log', 'farm_asset', 'taxonomy_term']
  const needed = new Set()
  const add = (/** @type {string} */ name) => {
    if (needed.has(name) || schemas[name] === undefined) return
    needed.add(name)
    for (const [, other = ''] of JSON.stringify(schemas[name]).matchAll(/#\/components\/schemas\/([^"]+)"/g)) add(other)
  }
  const made = older.map((name) => `${name}_new`)
  const changed = older.map((name) => `${name}_change`)
  for (const name of [...older, ...made, ...changed, ...newer]) add(name)
  const types = [...needed].sort().map((name) => `export type ${typeName(name)} = ${typeOf(schemas[name])}\n`)
  const table = (/** @type {string[]} */ list, ending = '') =>
    list.map((name) => `    readonly '${name.slice(0, name.length - ending.length)}': ${typeName(name)}`).join('\n')
  return `${types.join('\n')}
/** The records of a farm as it comes, for \`FurrowClient<StockRecords>\`. */
export interface StockRecords {
  readonly older: {
${table(older)}
  }
  readonly made: {
${table(made, '_new')}
  }
  readonly changed: {
${table(changed, '_change')}
  }
  readonly newer: {
${table(newer)}
  }
}
`
}

/** `log--harvest` is LogHarvest, `log_farm_harvest` is LogFarmHarvest of the first generation. @param {string} name */
const typeName = (name) => {
  const words = name.split(/[^A-Za-z0-9]+/).map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `${name.includes('--') ? 'Api' : ''}${words.join('')}`
}

/** @param {Schema | boolean} schema @returns {string} */
function typeOf(schema) {
  if (typeof schema === 'boolean') return 'unknown'
  if (typeof schema.$ref === 'string') return typeName(schema.$ref.split('/').at(-1) ?? '')
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum))
    return schema.enum.map((/** @type {unknown} */ value) => JSON.stringify(value)).join(' | ')
  const several = schema.anyOf ?? (schema.type === undefined ? schema.oneOf : undefined)
  if (Array.isArray(several)) return [...new Set(several.map((one) => grouped(typeOf(one))))].join(' | ')
  if (Array.isArray(schema.allOf)) return typeOfAll(schema)
  if (Array.isArray(schema.type))
    return schema.type.map((/** @type {string} */ type) => grouped(typeOf({ ...schema, type }))).join(' | ')
  return plainType(schema)
}

/** What a schema beside `allOf` asks for is asked of them all. @param {Schema} schema @returns {string} */
function typeOfAll({ allOf, properties, required = [] }) {
  const all = allOf.map((/** @type {Schema} */ one) => grouped(typeOf(one))).join(' & ')
  const needed = required.map((/** @type {string} */ name) => `'${name}'`).join(' | ')
  return [
    all,
    ...(properties === undefined ? [] : [plainType({ type: 'object', properties })]),
    ...(needed === '' ? [] : [`Required<Pick<${all}, ${needed}>>`]),
  ].join(' & ')
}

/** @param {Schema} schema @returns {string} */
function plainType({ type, items, properties, required = [], additionalProperties }) {
  if (type === 'string') return 'string'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'boolean'
  if (type === 'null') return 'null'
  if (type === 'array') return `readonly ${items === undefined ? 'unknown' : grouped(typeOf(items))}[]`
  if (type !== 'object') return 'unknown'
  if (properties === undefined)
    return `Readonly<Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown'}>>`
  const members = Object.entries(properties).map(
    ([name, one]) =>
      `readonly ${isWord(name) ? name : `'${name}'`}${required.includes(name) ? '' : '?'}: ${typeOf(one)}`,
  )
  return `{ ${members.join('; ')} }`
}

const isWord = (/** @type {string} */ text) => /^\w+$/.test(text)

/** In parentheses where it is more than a name. */
const grouped = (/** @type {string} */ type) => (isWord(type) ? type : `(${type})`)
