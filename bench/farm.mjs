/**
 * The farm for every server of a run: the same records for the same size, on any machine. A page has the same content
 * at every size, so that a request costs the same work on a small and a large farm.
 */

/**
 * @typedef {{ type: 'log' | 'asset' | 'term', bundle: string, values: Record<string, any> }} Planned
 * @typedef {ReturnType<typeof planFarm>} Plan
 */

const firstTimestamp = 1_500_000_000
const secondsBetweenLogs = 200

/** @param {number} log */
export const timestampOf = (log) => firstTimestamp + log * secondsBetweenLogs

/** A new farm already has these log categories. */
const firstTerms = 8
const vocabularies = /** @type {const} */ ([
  ['farm_animal_types', ['Cattle', 'Sheep', 'Goat', 'Chicken', 'Goose']],
  ['farm_crops', ['Kale', 'Garlic', 'Lettuce', 'Carrot', 'Oats', 'Rye', 'Bean', 'Squash', 'Leek', 'Beet']],
  ['farm_quantity_units', ['kg', 'litre', 'head', 'bunch']],
])
const shared = vocabularies.flatMap(([vocabulary, names]) => names.map((name) => ({ vocabulary, name })))
const idOf = (/** @type {string} */ name) => firstTerms + 1 + shared.findIndex((term) => term.name === name)
const firstArea = firstTerms + 1 + shared.length

const logTypes = [
  'farm_activity',
  'farm_observation',
  'farm_harvest',
  'farm_input',
  'farm_activity',
  'farm_observation',
  'farm_harvest',
  'farm_maintenance',
  'farm_medical',
  'farm_activity',
]
const works = [
  'Weeded',
  'Checked',
  'Harvested',
  'Fed',
  'Watered',
  'Counted',
  'Picked',
  'Repaired',
  'Treated',
  'Mulched',
]
const remark =
  'The ground was still wet from the night, so we began on the upper rows and came back to the lower ones after noon. ' +
  'Nothing unusual; two plants with spots on their leaves were taken out and the tools were cleaned before they went back.'

/** @param {number} log */
export const typeOfLog = (log) => logTypes[log % logTypes.length] ?? 'farm_activity'

/** @param {number} logCount */
export function planFarm(logCount) {
  const assetCount = Math.min(20_000, Math.max(80, logCount / 25))
  const areaCount = assetCount / 4
  const visitors = Math.min(10_000, assetCount)
  const busyLogs = Math.min(2_400, Math.floor(logCount / 4))
  const lastArea = firstArea + areaCount - 1
  const deepAsset = assetCount - 10

  const homeOf = (/** @type {number} */ asset) => firstArea + (asset % (areaCount - 1))

  /** @returns {Generator<Planned>} */
  function* terms() {
    for (const { vocabulary, name } of shared) {
      yield { type: 'term', bundle: vocabulary, values: { weight: 0, name } }
    }
    for (let n = 0; n < areaCount; n++) {
      const [x, y] = [(n % 100) / 1000, Math.floor(n / 100) / 1000]
      const corners = [
        [0, 0],
        [0.0009, 0],
        [0.0009, 0.0009],
        [0, 0.0009],
        [0, 0],
      ]
      const ring = corners.map(([dx = 0, dy = 0]) => `${(7 + x + dx).toFixed(4)} ${(47 + y + dy).toFixed(4)}`)
      yield {
        type: 'term',
        bundle: 'farm_areas',
        values: {
          weight: 0,
          name: `Bed ${n + 1}`,
          description: `Row ${Math.floor(n / 100) + 1}`,
          ...(n < 10 ? {} : { parent: [firstArea + (n % 10)] }),
          area_type: n < 10 ? 'field' : 'bed',
          geofield: [`POLYGON ((${ring.join(', ')}))`],
        },
      }
    }
  }

  /** @returns {Generator<Planned>} */
  function* assets() {
    for (let id = 1; id <= assetCount; id++) {
      const description = { value: `Number ${id} of the farm. ${remark.slice(0, 110)}`, format: 'farm_format' }
      if (id % 2 === 0) {
        yield {
          type: 'asset',
          bundle: 'animal',
          values: {
            archived: 0,
            name: `Animal ${id}`,
            description,
            flags: id % 10 === 0 ? ['monitor'] : ['organic'],
            animal_sex: id % 4 === 0 ? 'F' : 'M',
            animal_type: firstTerms + 1 + (id % 5),
            date: firstTimestamp - id * 3600,
            tag: [{ uuid: '', id: `T${10_000 + id}`, location: 'Left ear', type: 'Ear tag' }],
          },
        }
      } else if (id % 10 === 9) {
        const values = { archived: 0, name: `Tool ${id}`, description, model: 'M2', serial_number: `S${id}` }
        yield { type: 'asset', bundle: 'equipment', values }
      } else {
        const values = { archived: 0, name: `Planting ${id}`, description, crop: [idOf('Kale') + (id % 10)] }
        yield { type: 'asset', bundle: 'planting', values }
      }
    }
  }

  /** The asset of the log, and the area it moves to (0: none). */
  function movementIn(/** @type {number} */ log) {
    if (log <= visitors) return { asset: log, to: lastArea }
    if (log > logCount - assetCount) {
      const asset = log - (logCount - assetCount)
      return { asset, to: homeOf(asset) }
    }
    if (log % 100 === 50) return { asset: deepAsset, to: firstArea + (log % areaCount) }
    if (log <= visitors + busyLogs) return { asset: 2 + (log % 20), to: 0 }
    const asset = 30 + ((log * 7919) % (assetCount - 50))
    return { asset, to: log % 4 === 0 ? firstArea + ((log * 31) % areaCount) : 0 }
  }

  /** Some logs of each busy asset, and a few others, adjust its inventory. */
  const isCounting = (/** @type {number} */ log) =>
    log > visitors && log <= visitors + busyLogs ? log % 7 === 3 : log % 50 === 25

  /** @returns {Generator<Planned>} */
  function* logs() {
    for (let id = 1; id <= logCount; id++) {
      const { asset, to } = movementIn(id)
      const bundle = typeOfLog(id)
      const area = firstArea + ((id * 17) % areaCount)
      const quantities =
        bundle === 'farm_harvest'
          ? [
              ['weight', 'kg'],
              ['count', 'bunch'],
            ]
          : bundle === 'farm_input'
            ? [['volume', 'litre']]
            : []
      yield {
        type: 'log',
        bundle,
        values: {
          status: to !== 0 || id % 20 !== 7 ? 'done' : 'pending',
          log_owner: [1],
          name: `${works[id % works.length]} bed ${(id * 17) % areaCount}, round ${id}`,
          timestamp: timestampOf(id),
          area: [area],
          asset: [asset],
          log_category: [1 + (id % firstTerms)],
          ...(to === 0 ? {} : { movement: { uuid: '', area: [to] } }),
          notes: { value: remark.slice(0, 80 + (id % 150)), format: 'farm_format' },
          ...(quantities.length === 0
            ? {}
            : {
                quantity: quantities.map(([measure = '', unit = '']) => ({
                  uuid: '',
                  measure,
                  value: `${id % 97}.${id % 10}`,
                  unit: idOf(unit),
                  label: 'Today',
                })),
              }),
          ...(isCounting(id) ? { inventory: [{ uuid: '', asset, value: `${1 + (id % 9)}` }] } : {}),
          ...(bundle === 'farm_observation'
            ? { geofield: [`POINT (${(7 + (id % 1000) / 10_000).toFixed(4)} 47.0101)`] }
            : {}),
        },
      }
    }
  }

  return { logCount, assetCount, areaCount, firstArea, lastArea, deepAsset, terms, assets, logs }
}

/** The same record as a client would send it. */
export function bodyOf(/** @type {Planned} */ { type, bundle, values }) {
  const refers = new Set(['area', 'asset', 'log_category', 'unit', 'crop', 'animal_type', 'parent'])
  /** @type {(name: string, value: any) => any} */
  const spelled = (name, value) => {
    if (Array.isArray(value)) return value.map((one) => spelled(name, one))
    if (refers.has(name)) return { id: String(value) }
    if (name === 'geofield') return { geom: value }
    if (typeof value !== 'object') return value
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, own]) => (key === 'uuid' ? [] : [[key, spelled(key, own)]])),
    )
  }
  const { log_owner: _, archived: __, weight: ___, status, ...written } = values
  const fields = Object.entries(written).map(([name, value]) => [name, spelled(name, value)])
  const done = type === 'log' ? { done: status === 'done' } : {}
  return { ...Object.fromEntries(fields), ...done, [type === 'term' ? 'vocabulary' : 'type']: bundle }
}
