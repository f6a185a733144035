import * as named from './named-inputs.mjs'
import { tameValue } from './tame.mjs'

/**
 * @typedef {import('../ground/dice.mjs').Dice} Dice
 * @typedef {import('../../src/fields/field.ts').Field} Field
 * @typedef {import('../../src/farm/farm.ts').Farm} Farm
 * @typedef {{ method: string, path: string, type?: string, body?: string | Buffer, headers?: Record<string, string> }} Asked
 * @typedef {keyof typeof types} Resource
 */

/** Record types by their name in the interface. */
const types = /** @type {const} */ ({ log: 'log', farm_asset: 'asset', taxonomy_term: 'term' })
const anyText = Object.values(named.texts)
/** An existing id, or nearly. */
const someId = (/** @type {Dice} */ dice) => String(dice.happens(0.9) ? dice.whole(1, 60) : dice.pick(named.ids))
const word = (/** @type {Dice} */ dice) => (dice.happens(0.7) ? `Word ${dice.whole(1, 500)}` : dice.pick(anyText))
/** A substring of some words. */
const piece = (/** @type {Dice} */ dice) =>
  dice.pick(['w', 'WORD', 'ord 1', 's 2', '%', '_', 'ß', 'é', 'K', '-', '0.', ' '])
const someTime = (/** @type {Dice} */ dice) => dice.whole(0, 4_000_000_000)

/** A value that usually suits the field. @type {(field: Field, farm: Farm, dice: Dice) => any} */
export function valueFor(field, farm, dice) {
  if (dice.happens(0.03)) return nonsense(dice)
  if ('many' in field && field.many && dice.happens(0.8)) {
    return Array.from({ length: dice.whole(0, 3) }, () => oneFor(field, farm, dice))
  }
  return oneFor(field, farm, dice)
}

/** @type {(field: Field, farm: Farm, dice: Dice) => any} */
function oneFor(field, farm, dice) {
  switch (field.kind) {
    case 'text':
    case 'long-text':
      return word(dice)
    case 'rich-text':
      return dice.happens(0.5) ? word(dice) : { value: word(dice), format: 'farm_format' }
    case 'timestamp':
      return dice.happens(0.5) ? someTime(dice) : String(someTime(dice))
    case 'period':
      return { value: String(someTime(dice)), value2: String(someTime(dice)) }
    case 'yes-no':
      return dice.pick([true, false, 1, 0, '1', '0'])
    case 'whole':
      return dice.whole(-200, 200)
    case 'decimal':
      return dice.pick(['1', '-2.50', 0.1, '1e5', '.5', '00.10', '123456789012345678901234567890'])
    case 'choice':
      return dice.pick([...(farm.lists[field.list] ?? []).map(({ value }) => value), 'none of these'])
    case 'reference':
      return referenceFor(dice)
    case 'geometry':
      return dice.happens(0.6)
        ? { geom: `POINT (${dice.whole(-180, 180)} ${dice.whole(-90, 90)})` }
        : dice.pick(named.geometries.slice(0, 19))
    case 'attachment':
      return dice.happens(0.6)
        ? `data:image/png;base64,${dice.bytes(dice.whole(1, 200)).toString('base64')}`
        : dice.pick(named.files)
    case 'part':
      return fieldsFor(field.fields, farm, dice)
  }
}

const referenceFor = (/** @type {Dice} */ dice) =>
  dice.pick([
    { id: someId(dice) },
    someId(dice),
    { id: dice.whole(1, 60) },
    { name: word(dice) },
    { id: null },
    '',
    { name: `Named ${dice.whole(1, 40)}` },
  ])

/** @param {Readonly<Record<string, Field>>} fields @param {Farm} farm @param {Dice} dice */
function fieldsFor(fields, farm, dice) {
  /** @type {Record<string, any>} */
  const body = {}
  const choose = dice.happens(0.6) ? tameValue : valueFor
  for (const [name, field] of Object.entries(fields)) {
    if (field.required ? dice.happens(0.97) : dice.happens(0.25)) body[name] = choose(field, farm, dice)
  }
  return body
}

const nonsense = (/** @type {Dice} */ dice) =>
  dice.pick([
    null,
    '',
    [],
    {},
    [[]],
    [null],
    { id: {} },
    -1,
    1.5,
    1e21,
    true,
    'x',
    { name: '' },
    { name: {} },
    ['a', 1, null],
    word(dice),
  ])

/** @type {(name: string, field: Field) => [string, Field]} */
const asInterfaceHasIt = (name, field) =>
  field.kind === 'choice' && field.asYesNo !== undefined
    ? [field.asYesNo.name, { kind: 'yes-no', label: field.asYesNo.label }]
    : [name, field]

/** Requests to every route, from the catalogue and the OpenAPI description. */
export class Generation {
  #farm
  #paths

  /** @param {Farm} farm @param {Record<string, Record<string, unknown>>} paths of the interface's own description */
  constructor(farm, paths) {
    this.#farm = farm
    // A stream of events has no end.
    const finite = Object.entries(paths).filter(([path]) => path !== '/changes/events')
    this.#paths = finite.flatMap(([path, operations]) =>
      Object.keys(operations)
        .filter((method) => /^(get|post|put|delete|patch)$/.test(method))
        .map((method) => ({ path, method: method.toUpperCase() })),
    )
  }

  /** @param {Dice} dice @returns {Asked} */
  next(dice) {
    const asked = this.#plain(dice)
    if (dice.happens(0.08)) return mutated(asked, dice)
    return asked
  }

  /** @param {Dice} dice @returns {Asked} */
  #plain(dice) {
    const chance = dice.roll()
    if (chance < 0.3) return this.#list(dice)
    if (chance < 0.4)
      return {
        method: dice.pick(['GET', 'GET', 'HEAD', 'OPTIONS']),
        path: `/${this.#type(dice)}/${someId(dice)}${ending(dice)}`,
      }
    if (chance < 0.6) return this.#write(dice, 'POST')
    if (chance < 0.72) return this.#write(dice, 'PUT')
    if (chance < 0.76) return { method: 'DELETE', path: `/${this.#type(dice)}/${someId(dice)}${ending(dice)}` }
    if (chance < 0.8) return this.#batch(dice)
    if (chance < 0.84) return form(dice)
    return this.#described(dice)
  }

  /** @param {Dice} dice @returns {Resource} */
  #type(dice) {
    return dice.pick(/** @type {Resource[]} */ (Object.keys(types)))
  }

  /**
   * Fields under their names in the interface.
   * @param {Resource} type
   * @param {string} bundle
   * @returns {Readonly<Record<string, Field>>}
   */
  #fields(type, bundle) {
    const { properties, bundles } = this.#farm.records[types[type]]
    const own = Object.entries({ ...properties, ...bundles[bundle]?.fields })
    return Object.fromEntries(own.map(([name, field]) => asInterfaceHasIt(name, field)))
  }

  /** @param {Dice} dice */
  #body(dice) {
    const type = this.#type(dice)
    const { bundles, bundleName } = this.#farm.records[types[type]]
    const bundle = dice.pick(Object.keys(bundles))
    const fields = this.#fields(type, bundle)
    const body = fieldsFor(fields, this.#farm, dice)
    if (dice.happens(0.97)) body[bundleName] = bundle
    if (dice.happens(0.3)) body.name = word(dice)
    for (const name of ['id', 'uid', 'created', 'changed', 'url']) if (dice.happens(0.97)) delete body[name]
    for (const [name, field] of Object.entries(fields)) if (field.computed && dice.happens(0.95)) delete body[name]
    return { type, body }
  }

  /** @param {Dice} dice @param {'POST' | 'PUT'} method @returns {Asked} */
  #write(dice, method) {
    const { type, body } = this.#body(dice)
    const path = method === 'POST' ? `/${type}` : `/${type}/${someId(dice)}`
    if (method === 'PUT') for (const name of Object.keys(body)) if (dice.happens(0.5)) delete body[name]
    const headers = dice.happens(0.1)
      ? { 'idempotency-key': `key ${dice.whole(1, 30)}` }
      : dice.happens(0.05)
        ? { 'if-match': '"1"' }
        : {}
    if (dice.happens(0.3)) return { method, path, type: 'application/xml', body: xmlOf(type, body), headers }
    return { method, path, type: 'application/json', body: JSON.stringify(body), headers }
  }

  /** @param {Dice} dice @returns {Asked} */
  #batch(dice) {
    const operations = Array.from({ length: dice.whole(0, 5) }, (_, n) => {
      const { type, body } = this.#body(dice)
      const method = dice.pick(['POST', 'POST', 'PUT', 'DELETE', 'GET'])
      const path = method === 'POST' ? `/${type}` : `/${type}/${dice.happens(0.3) ? `$r${n - 1}` : someId(dice)}`
      return { method, path, as: `r${n}`, ...(method === 'DELETE' ? {} : { body }) }
    })
    return {
      method: 'POST',
      path: '/batch',
      type: 'application/json',
      body: JSON.stringify({ atomic: dice.happens(0.5), operations }),
    }
  }

  /** @param {Dice} dice @returns {Asked} */
  #list(dice) {
    const type = this.#type(dice)
    const fields = this.#fields(type, dice.pick(Object.keys(this.#farm.records[types[type]].bundles)))
    const names = Object.keys(fields)
    const filters = Array.from({ length: dice.whole(0, 3) }, () => {
      if (dice.happens(0.15)) return dice.pick(named.queries)
      const name = dice.pick(names)
      const field = fields[name]
      const inner = field?.kind === 'part' ? `[${dice.pick(Object.keys(field.fields))}]` : ''
      const operator = dice.happens(0.3)
        ? `[${dice.pick(['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'ct', 'sw', 'xx', '', '0'])}]`
        : ''
      const text = Buffer.from(dice.happens(0.5) ? piece(dice) : word(dice)).toString()
      const value = dice.happens(0.5) ? someId(dice) : encodeURIComponent(text)
      return `${name}${inner}${operator}=${value}`
    })
    if (dice.happens(0.3)) filters.push(`sort=${dice.pick([...names, 'id'])}&direction=${dice.pick(['asc', 'DESC'])}`)
    if (dice.happens(0.4)) filters.push(`page=${dice.whole(0, 3)}&limit=${dice.pick([1, 2, 50, 100, 1000])}`)
    if (dice.happens(0.1)) filters.push(dice.pick(['full=0', 'files=inline', 'with=group,inventory', 'with=members']))
    return { method: 'GET', path: `/${type}${ending(dice)}?${filters.join('&')}`, ...accepting(dice) }
  }

  /** A described route, with any method. @param {Dice} dice @returns {Asked} */
  #described(dice) {
    const { path, method } = dice.pick(this.#paths)
    const filled = path.replaceAll(/\{\w+\}/g, () => someId(dice)) + (dice.happens(0.2) ? ending(dice) : '')
    const query = dice.happens(0.3) ? `?${dice.pick(named.queries)}` : ''
    const used = dice.happens(0.9) ? method : dice.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])
    if (used === 'GET' || used === 'HEAD') return { method: used, path: filled + query, ...accepting(dice) }
    const [type, body] = dice.pick(Object.values(named.bodies).filter(([, one]) => one.length < 20_000))
    return { method: used, path: filled + query, type: type.replaceAll(/[^\x20-\x7e]/g, ''), body }
  }
}

const ending = (/** @type {Dice} */ dice) => dice.pick(['', '.json', '.json', '.xml', '/'])

/** @param {Dice} dice */
const accepting = (dice) =>
  dice.happens(0.3)
    ? {
        headers: {
          accept: dice.pick([
            'application/xml',
            'text/html',
            'json',
            '*/*',
            'image/png',
            ';q=',
            'application/json;q=0',
          ]),
        },
      }
    : {}

/** Forms for the routes that take them. @param {Dice} dice @returns {Asked} */
function form(dice) {
  const path = dice.pick([
    '/oauth/token',
    '/oauth/revoke',
    '/oauth/introspect',
    '/oauth2/token',
    '/oauth/authorize',
    '/user/login',
    '/user/logout',
    '/setup',
  ])
  const names = [
    'grant_type',
    'client_id',
    'client_secret',
    'token',
    'refresh_token',
    'code',
    'redirect_uri',
    'scope',
    'username',
    'code_verifier',
    'name',
    'pass',
    'state',
  ]
  const values = [
    'authorization_code',
    'refresh_token',
    'client_credentials',
    'implicit',
    'farm',
    'farm_development',
    'user_access',
    '',
    'x',
    '%00',
    '%ff',
    '\u{1f33e}',
    'http://localhost/api/authorized',
  ]
  const body = Array.from({ length: dice.whole(0, 8) }, () => `${dice.pick(names)}=${dice.pick(values)}`).join('&')
  return { method: 'POST', path, type: 'application/x-www-form-urlencoded', body }
}

/** The same request with a fault injected. @param {Asked} asked @param {Dice} dice @returns {Asked} */
function mutated(asked, dice) {
  if (asked.body === undefined || dice.happens(0.2)) {
    const at = dice.whole(0, asked.path.length)
    const inserted = dice.pick([
      '%00',
      '%',
      '//',
      '/../',
      '?',
      '&',
      '[',
      '%2f',
      ';',
      '%u0041',
      '\\',
      '"',
      '|',
      '%ff',
      '~',
    ])
    return { ...asked, path: `/${(asked.path.slice(0, at) + inserted + asked.path.slice(at)).replace(/^\//, '')}` }
  }
  const bytes = Buffer.from(asked.body)
  for (let n = dice.whole(1, 4); n > 0 && bytes.length > 0; n--) {
    bytes[dice.whole(0, bytes.length - 1)] = dice.pick([
      0,
      0x22,
      0x5c,
      0x7b,
      0x7d,
      0x5b,
      0x2c,
      0x3c,
      0x26,
      0x80,
      0xff,
      dice.whole(0, 255),
    ])
  }
  const cut = dice.happens(0.2) ? bytes.subarray(0, dice.whole(0, bytes.length)) : bytes
  return {
    ...asked,
    body: cut,
    type: dice.happens(0.1)
      ? dice.pick(['application/xml', 'application/json', 'text/plain', 'x'])
      : (asked.type ?? ''),
  }
}

const escaped = (/** @type {unknown} */ text) => String(text).replace(/[<>&"]/g, (one) => `&#${one.charCodeAt(0)};`)

/** @param {string} name @param {any} value @returns {string} */
function xmlOf(name, value) {
  if (value === null) return `<${name} nil="true"/>`
  if (Array.isArray(value)) return `<${name}>${value.map((one) => xmlOf('item', one)).join('')}</${name}>`
  if (typeof value !== 'object') return `<${name}>${escaped(value)}</${name}>`
  return `<${name}>${Object.entries(value)
    .map(([key, own]) => xmlOf(key, own))
    .join('')}</${name}>`
}
