import { dayAt } from '../../programs/demo/calendar.ts'
import { callerFor, fill } from '../../programs/demo/fill.ts'
import { planFarm } from '../../programs/demo/plan.ts'
import { readWords } from '../../programs/demo/words.ts'
import { wallClock } from '../../src/clock.ts'
import { openRecords } from '../../src/records/records.ts'
import { nameFarm } from '../../src/storage/settings.ts'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import type { Farm } from './pictures.ts'

/** A farm with somebody of each role, and the addresses of its screens. */
export interface FarmToShow {
  readonly base: string
  readonly manager: Client
  readonly viewer: Client
  readonly nobody: Client
  /** By the names of the screens; what a farm has nothing for is left out. */
  readonly addresses: ReadonlyMap<string, string>
}

const fillings: Readonly<Record<Farm, (farm: FarmUnderTest, manager: Client) => Promise<void>>> = {
  demo: plantDemo,
  empty: async () => {},
  'areas-5000': plantAreas,
}

export async function openFarmToShow(name: Farm): Promise<FarmToShow> {
  const farm = await openFarm({ engine: 'sqlite' })
  const manager = await farm.login('manager')
  await fillings[name](farm, manager)
  const [viewer, nobody] = [await farm.login('viewer'), await farm.login(null)]
  return { base: farm.base, manager, viewer, nobody, addresses: await addressesIn(manager) }
}

async function plantDemo({ installation }: FarmUnderTest, manager: Client): Promise<void> {
  const words = readWords()
  const records = await openRecords(installation)
  const caller = callerFor({ uid: 1, name: manager.login.name })
  await fill({ records, caller, report: () => {} }, planFarm(1, dayAt(wallClock()), words))
  await installation.database.write((tx) => nameFarm(tx, words.areas.farm))
}

const fieldsInRow = 10
const bedsInField = 99

/** Fifty fields of 99 beds each, ten in a row. */
async function plantAreas(_farm: FarmUnderTest, manager: Client): Promise<void> {
  for (let field = 0; field < 50; field++) {
    const [west, south] = [7 + (field % fieldsInRow) * 0.004, 50 + Math.floor(field / fieldsInRow) * 0.003]
    const fieldName = `Field ${field + 1}`
    const operations = [
      { ...area({ name: fieldName, type: 'field' }, [west, south, west + 0.0036, south + 0.0026]) },
      ...Array.from({ length: bedsInField }, (_, bed) => {
        const left = west + 0.0001 + bed * 0.0000343
        const corners = [left, south + 0.0002, left + 0.000025, south + 0.0024] as const
        return area({ name: `${fieldName}.${bed + 1}`, type: 'bed', parent: fieldName }, corners)
      }),
    ].map((body) => ({ method: 'POST', path: '/taxonomy_term', body }))
    await manager.post('/batch', { operations })
  }
}

interface NewArea {
  readonly name: string
  readonly type: string
  readonly parent?: string
}

function area({ name, type, parent }: NewArea, [west, south, east, north]: readonly [number, number, number, number]) {
  const corners = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
  const geom = `POLYGON ((${corners.map((corner) => corner.join(' ')).join(', ')}))`
  const above = parent === undefined ? {} : { parent: [{ name: parent }] }
  return { name, vocabulary: 'farm_areas', area_type: type, geofield: [{ geom }], ...above }
}

/** Every screen under a name, with records of this farm that have something to show. */
async function addressesIn(client: Client): Promise<ReadonlyMap<string, string>> {
  const first = async (path: string, fits: (record: Json) => boolean = () => true): Promise<Json> =>
    (await client.read(path)).list.find(fits)
  const isSomewhere = ({ location }: Json) => location?.length > 0
  const holdsMany = ({ assets, geofield }: Json) => assets?.length > 1 && geofield?.length > 0
  const animal = await first('/farm_asset.json?type=animal&archived=0', isSomewhere)
  const planting = await first('/farm_asset.json?type=planting&archived=0&direction=DESC', isSomewhere)
  const group = await first('/farm_asset.json?type=group&archived=0')
  const area = await first('/taxonomy_term.json?bundle=farm_areas&limit=1000', holdsMany)
  const harvest = await first('/log.json?type=farm_harvest&done=1&sort=timestamp&direction=DESC')
  const plan = await first('/log.json?done=0&sort=timestamp&direction=DESC')
  const crop = await first('/taxonomy_term.json?bundle=farm_crops')
  const month = new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 10)
  const known: readonly (readonly [string, string | undefined])[] = [
    ['today', '/'],
    ['logs', '/records'],
    ['assets', '/records?of=assets'],
    ['areas', '/records?of=areas'],
    ['terms', '/records?of=terms'],
    ['search', '/records?q=no'],
    ['log', harvest && `/log/${harvest.id}`],
    ['plan', plan && `/log/${plan.id}`],
    ['animal', animal && `/asset/${animal.id}`],
    ['planting', planting && `/asset/${planting.id}`],
    ['group', group && `/asset/${group.id}`],
    ['area', area && `/area/${area.tid}`],
    ['term', crop && `/term/${crop.tid}`],
    ['map', '/map'],
    ['map-area', area && `/map?area=${area.tid}`],
    ['map-time', `/map?at=${month}`],
    ['map-rest', '/map?by=rest'],
    ['tree', '/map?view=list'],
    ['more', '/more'],
    ['outbox', '/outbox'],
    ['nowhere', '/nowhere'],
    ['trash', '/trash'],
    ['first-steps', '/setup'],
    ['what-do-you-keep', '/setup/keep'],
    ['where-is-it', '/setup/where'],
    ['phone', '/setup/phone'],
    ['settings', '/settings'],
    ['import', '/import'],
    ['moving', '/moving'],
    ['export', '/export'],
    ['report-harvest', '/reports/harvest'],
    ['report-history', area && `/reports/field-history?area=${area.tid}`],
    ['people', '/people'],
    ['invite', '/people/invite'],
    // Whoever opened the farm first.
    ['person', '/people/1'],
    ['applications', '/applications'],
    ['events', '/events'],
    ['selecting', '/records'],
    ['add', '/add'],
    ['move-herd', '/add/move'],
    ['move-paddock', '/add/move'],
    ['harvest', '/add/harvest'],
    ['weigh', '/add/weigh'],
    ['observe', '/add/observe'],
    ['form', '/add/farm_harvest'],
    ['edit', harvest && `/log/${harvest.id}/edit`],
    ['draw', '/draw'],
    ['draw-name', '/draw'],
    ['beds', area && `/draw/${area.tid}/beds`],
    ['move-done', '/add/move'],
    ['outbox-waiting', '/outbox'],
    ['outbox-conflict', '/outbox'],
    ['outbox-removed', '/outbox'],
  ]
  return new Map(known.flatMap(([name, address]) => (address === undefined ? [] : [[name, address]])))
}
