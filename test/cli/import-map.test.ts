import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { emptyPlace } from '../harness/databases.ts'
import { atLeastOn } from '../harness/share-of-engine.ts'
import { zipped } from '../harness/zipped.ts'
import { furrow } from './built-furrow.ts'

const feature = (properties: object, coordinates: readonly number[] = [7, 51]) => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Point', coordinates },
})
const collection = (...features: object[]) => JSON.stringify({ type: 'FeatureCollection', features })
const kml =
  '<kml><Folder><name>Home</name><Placemark><name>Yard</name><Style/><Point><coordinates>7,51</coordinates></Point></Placemark></Folder></kml>'

describe.each(atLeastOn('sqlite'))('furrow import map on %s', (engine) => {
  let env: Record<string, string>
  const folder = mkdtempSync(join(tmpdir(), 'furrow-map-'))

  beforeAll(async () => {
    const place = await emptyPlace(engine)
    env = { FURROW_DATA: place.data, FURROW_DATABASE: place.database ?? '' }
    const added = await furrow(['user', 'add', 'ada', '--role', 'manager', '--password-stdin'], {
      env,
      input: 'green fields 42',
    })
    expect(added.code, added.stderr).toBe(0)
  })

  const file = (name: string, bytes: string | Buffer): string => {
    writeFileSync(join(folder, name), bytes)
    return join(folder, name)
  }
  const importMap = (path: string, ...options: string[]) => furrow(['import', 'map', path, ...options], { env })

  it('says what would become of a map, takes it, and undo takes it back', async () => {
    const map = file('areas.geojson', collection(feature({ name: 'North', fid: 1 }), feature({ name: 'South' })))
    const dry = await importMap(map, '--dry-run')
    expect(dry, dry.stderr).toMatchObject({ code: 0 })
    expect(dry.stdout).toContain('2 areas created, 0 changed, 0 unchanged.')
    expect(dry.stdout).toMatch(/LEFT OUT +TIMES\nproperty fid +1\n/)
    expect(dry.stdout).toContain('nothing was kept')
    const real = await importMap(map, '--author', 'ada')
    expect(real.stdout).toContain('2 areas created')
    expect(real.stdout).toContain('They lie between 7 and 7 longitude, 51 and 51 latitude.')
    const [, set = ''] = /furrow undo (\S+)`/.exec(real.stdout) ?? []
    expect((await furrow(['sets', '--user', 'ada'], { env })).stdout).toContain(set)
    const undone = await furrow(['undo', set], { env })
    expect(undone.stdout).toContain('2 removed')
  })

  it('reads KML and KMZ by what they begin with, and matches by name', async () => {
    const first = await importMap(file('a.txt', kml))
    expect(first.stdout, first.stderr).toContain('2 areas created')
    const archive = zipped([{ name: 'doc.kml', bytes: Buffer.from(kml) }])
    const again = await importMap(file('b.kmz', archive), '--match', 'name', '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({
      counts: { created: 0, changed: 0, unchanged: 1 },
      left_out: [{ what: 'Style', count: 1 }],
      features: [{ feature: 0, result: 'unchanged', name: 'Yard' }],
    })
  })

  it('asks once about a place far away, and takes a property map', async () => {
    const map = file('far.json', collection(feature({ NAME_1: 'Away' }, [51, 7])))
    const refused = await importMap(map, '--map', 'name=NAME_1')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('far=ok')
    const taken = await importMap(map, '--map', 'name=NAME_1', '--far', 'ok')
    expect(taken.stdout, taken.stderr).toContain('1 areas created')
  })

  it('tells every fault, and keeps nothing', async () => {
    const bad = await importMap(
      file(
        'bad.json',
        collection(feature({ name: 'Fine' }), feature({ uuid: 'x' }), feature({ name: 'Odd', area_type: 'moon' })),
      ),
    )
    expect(bad.code).toBe(1)
    expect(bad.stderr).toContain('features[1].uuid')
    expect(bad.stderr).toMatch(/features\[2\]\.area_type: .*allowed: field, bed/)
    const rest = await importMap(join(folder, 'bad.json'), '--skip-faults', '--dry-run')
    expect(rest.stdout).toContain('1 areas created, 0 changed, 0 unchanged, 2 left out.')
    expect(rest.stdout).toContain('features[2].area_type: ')
    expect((await importMap(join(folder, 'none.kml'))).stderr).toContain(
      'none.kml cannot be read: there is no such file.',
    )
    const misuse = await importMap(file('c.json', '{}'), '--match', 'tag')
    expect(misuse.code).toBe(2)
  })
})
