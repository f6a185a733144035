import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadFarm } from '../../src/cli/modules.ts'
import { faultsOfFarm } from '../../src/farm/farm-validation.ts'
import { type Farm, kit } from '../../src/farm/module.ts'
import { resourceTypes } from '../../src/farm/newer/resource-types.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import { Refusal } from '../../src/refusal.ts'
import { emptyDirectory } from '../harness/databases.ts'
import { fairFarm } from './every-kind.ts'

const named = { label: 'Thing', plural: 'Things' }
const client = {
  id: 'map',
  label: 'Map',
  grants: ['authorization_code' as const],
  scopes: ['farm_viewer'],
  defaultScopes: ['farm_viewer'],
  redirectUris: ['https://map.example/'],
  origins: [],
  pkce: 'required' as const,
}

/** What a file that no compiler has seen may hold. */
const odd = (field: object) => ({ label: 'Odd', ...field }) as never
const withField = (name: string, field: never) => kit.withLogFields(stockFarm, { [name]: field }, ['farm_activity'])

const unsound: Record<string, [Farm, RegExp]> = {
  'a type name in capitals': [kit.withLogType(stockFarm, 'Shearing', { ...named, fields: {} }), /"Shearing"/],
  'a type without a label': [kit.withLogType(stockFarm, 'shearing', { ...named, label: '', fields: {} }), /label/],
  'a type without fields': [kit.withLogType(stockFarm, 'shearing', odd({})), /fields/],
  'a field name with a space': [withField('wool weight', odd(kit.text('Wool'))), /"wool weight"/],
  'a field name that means something else': [withField('page', odd(kit.text('Page'))), /"page"/],
  'a field called as what identifies a record': [withField('uuid', odd(kit.text('UUID'))), /"uuid"/],
  'a field called as the version of a record': [withField('version', odd(kit.text('Version'))), /"version"/],
  'a field that every log has': [withField('timestamp', odd(kit.timestamp('Time'))), /"timestamp"/],
  'a field of no kind': [withField('wool', odd({ kind: 'woolly' })), /not a field/],
  'a field that is none': [withField('wool', 5 as never), /not a field/],
  'several of a kind that has one value': [withField('wool', odd({ ...kit.decimal('Wool'), many: true })), /one value/],
  'a field that nobody computes': [
    withField('wool', odd(kit.text('Wool', { computed: 'shear' as never }))),
    /computed/,
  ],
  'a choice from no list': [withField('wool', odd(kit.choice('Wool', 'colours'))), /"colours"/],
  'a reference to nothing': [withField('wool', odd({ kind: 'reference', to: 'sheep' })), /"sheep"/],
  'a reference to an unknown type': [
    withField('wool', kit.reference('Wool', 'farm_asset', { within: ['sheep'] }) as never),
    /"sheep"/,
  ],
  'a term of no vocabulary': [withField('wool', kit.reference('Wool', 'taxonomy_term') as never), /vocabulary/],
  'an empty part': [withField('wool', kit.part('Wool', {}) as never), /needs fields/],
  'a field that is called as a word of queries': [withField('as_of', odd(kit.text('As of'))), /"as_of"/],
  'a part with a uuid': [withField('wool', kit.part('Wool', { uuid: kit.text('Id') }) as never), /"uuid"/],
  'a fault inside a part': [
    withField('wool', kit.part('Wool', { colour: kit.choice('C', 'colours') }) as never),
    /wool\.colour/,
  ],
  'one name for two kinds': [
    kit.withLogFields(
      kit.withLogFields(stockFarm, { wool: kit.text('Wool') }, ['farm_activity']),
      { wool: kit.whole('Wool') },
      ['farm_input'],
    ),
    /choose another name/,
  ],
  'one name for two vocabularies': [
    kit.withLogFields(
      kit.withLogFields(stockFarm, { wool: kit.termsOf('Wool', 'farm_crops') }, ['farm_activity']),
      { wool: kit.termsOf('Wool', 'farm_season') },
      ['farm_input'],
    ),
    /choose another name/,
  ],
  'a word twice in a new list': [
    kit.withChoices(stockFarm, 'colours', [
      { value: 'red', label: 'Red' },
      { value: 'red', label: 'Crimson' },
    ]),
    /twice/,
  ],
  'a type that the newer generation would call in capitals': [
    kit.withLogType(stockFarm, 'shearing', { ...named, newer: { name: 'Shearing' }, fields: {} }),
    /"Shearing"/,
  ],
  'a type that the newer generation would call as another': [
    kit.withAssetType(stockFarm, 'hive', { ...named, newer: { name: 'plant' }, fields: {} }),
    /"plant".*planting/,
  ],
  'a type that the newer generation would call as the areas': [
    kit.withAssetType(stockFarm, 'plot', { ...named, newer: { name: 'land' }, fields: {} }),
    /"land".*the areas/,
  ],
  'a vocabulary that the newer generation would call as another': [
    kit.withVocabulary(stockFarm, 'spring', {
      ...named,
      title: 'S',
      description: '',
      newer: { name: 'season' },
      fields: {},
    }),
    /"season".*farm_season/,
  ],
  'a type that nothing tells from another': [
    kit.withLogType(stockFarm, 'shearing', { ...named, newer: { name: 'wool', by: { field: 'wool' } }, fields: {} }),
    /there is no field "wool"/,
  ],
  'two fields with one name in the newer generation': [
    withField('wool', kit.text('Wool', { newer: { name: 'category' } }) as never),
    /two fields are called "category"/,
  ],
  'a field that would be the id of a resource': [
    withField('wool', kit.text('Wool', { newer: { name: 'id' } }) as never),
    /"id"/,
  ],
  'a field that is only for somebody else': [
    withField('wool', kit.text('Wool', { only: 'older' as never }) as never),
    /newer/,
  ],
  'a field that is required and only newer': [
    withField('wool', kit.text('Wool', { only: 'newer', required: true }) as never),
    /required and only newer/,
  ],
  'a list that is cut to nothing': [
    withField('wool', kit.text('Wool', { many: true, cutTo: 'sheep' }) as never),
    /there is no field "sheep"/,
  ],
  'a field about nothing': [
    withField('wool', kit.text('Wool', { about: 'sheep' }) as never),
    /there is no field "sheep"/,
  ],
  'a reference beside nothing': [
    withField('wool', kit.reference('Wool', 'asset', { also: 'sheep' }) as never),
    /there is no field "sheep"/,
  ],
  'a part of which the record interface has nothing': [
    withField('wool', kit.part('Wool', { colour: kit.text('Colour', { only: 'newer' }) }) as never),
    /say so of the part/,
  ],
  'two words that are one in the newer generation': [
    kit.withChoices(stockFarm, 'colours', [
      { value: 'black', label: 'Black' },
      { value: 'Schwarz', label: 'Black', newer: 'black' },
    ]),
    /two words are "black"/,
  ],
  'a scope with a space': [kit.withScope(stockFarm, { name: 'read map', label: 'Map', rights: [] }), /scope read map/],
  'a scope with an unknown right': [
    kit.withScope(stockFarm, { name: 'map', label: 'Map', rights: ['fly' as never] }),
    /"fly"/,
  ],
  'a client with an unknown scope': [
    kit.withClient(stockFarm, { ...client, scopes: ['fly'], defaultScopes: [] }),
    /"fly"/,
  ],
  'a client with an id that no registered client could have': [
    kit.withClient(stockFarm, { ...client, id: 'map!' }),
    /letters, digits/,
  ],
  'a client with a grant that needs a secret': [
    kit.withClient(stockFarm, { ...client, grants: ['client_credentials'] }),
    /client_credentials/,
  ],
  'a client with nowhere to go back to': [kit.withClient(stockFarm, { ...client, redirectUris: [] }), /redirect/],
  'a client without lists': [kit.withClient(stockFarm, odd({ id: 'map' })), /list/],
  'information that the farm gives itself': [kit.withInfo(stockFarm, 'name', 'Mine'), /"name"/],
  'information that JSON cannot write': [kit.withInfo(stockFarm, 'clock', () => 1), /JSON/],
}

describe('the soundness of a farm', () => {
  it('is given for the farm as it comes, and for one with every kind of field', () => {
    expect(faultsOfFarm(stockFarm)).toEqual([])
    expect(faultsOfFarm(fairFarm)).toEqual([])
  })

  it.each(Object.entries(unsound))('misses nothing: %s', (_, [farm, message]) => {
    const faults = faultsOfFarm(farm)
    expect(faults.map((fault) => `${fault.field} ${fault.message}`).join('\n')).toMatch(message)
  })

  it('is refused to a module, naming the file and each fault', async () => {
    const path = join(await emptyDirectory(), 'wool.mjs')
    const fields = "{ page: kit.text('Page'), wool: kit.choice('Wool', 'colours') }"
    await writeFile(path, `export default (farm, kit) => kit.withLogFields(farm, ${fields}, ['farm_activity'])`)
    const refusal = await loadFarm([path]).catch((error) => error)
    expect(refusal).toBeInstanceOf(Refusal)
    expect(refusal.message).toContain(path)
    expect(refusal.details.faults).toHaveLength(2)
  })
})

describe('a module of an older farm', () => {
  it('is not refused for a name that the newer generation has for something else', async () => {
    const path = join(await emptyDirectory(), 'notes.mjs')
    const fields = "{ notes: kit.text('Notes') }"
    await writeFile(path, `export default (farm, kit) => kit.withAssetFields(farm, ${fields}, ['animal'])`)
    const members = resourceTypes(await loadFarm([path])).get('asset--animal')?.members
    expect(members?.get('notes')?.field.kind).toBe('rich-text')
    expect(members?.get('module_notes')?.field.kind).toBe('text')
  })
})

describe('the kit', () => {
  it('does not let two modules hide each other', () => {
    const taken: (() => Farm)[] = [
      () => kit.withLogType(stockFarm, 'farm_activity', { ...named, fields: {} }),
      () => kit.withAssetType(stockFarm, 'animal', { ...named, fields: {} }),
      () => kit.withVocabulary(stockFarm, 'farm_crops', { ...named, title: 'Crops', description: '', fields: {} }),
      () => kit.withLogFields(stockFarm, { notes: kit.text('Notes') }),
      () => kit.withAssetFields(stockFarm, { data: kit.text('Data') }, ['animal']),
      () => kit.withAreaType(stockFarm, 'field', 'Field'),
      () => kit.withFlag(stockFarm, 'review', 'Review'),
      () => kit.withScope(stockFarm, { name: 'farm_info', label: 'Info', rights: [] }),
      () => kit.withClient(stockFarm, { ...client, id: 'farm' }),
      () => kit.withInfo(kit.withInfo(stockFarm, 'motto', 1), 'motto', 2),
    ]
    for (const take of taken) expect(take, String(take)).toThrow(/already/)
  })

  it('does not add to what is not there', () => {
    expect(() => kit.withLogFields(stockFarm, { wool: kit.text('Wool') }, ['shearing'])).toThrow(/"shearing"/)
    expect(() => kit.withTermFields(stockFarm, { wool: kit.text('Wool') }, ['colours'])).toThrow(/"colours"/)
  })

  it('lets a module take the place of what only the newer generation has', () => {
    const hive = { ...named, fields: { owner: kit.text('Owner') } }
    const farm = kit.withTermFields(kit.withAssetType(stockFarm, 'seed', hive), { owner: kit.text('Owner') }, [
      'farm_areas',
    ])
    expect(Object.keys(farm.records.asset.bundles).at(-1)).toBe('seed')
    expect(farm.records.asset.bundles.seed).toBe(hive)
    expect(farm.records.term.bundles.farm_areas?.fields.owner?.kind).toBe('text')
  })
})

describe('a module that has a word which the interface took later', () => {
  it('keeps its field, and the operator is told', async () => {
    const text = `export default (farm, kit) => kit.withTermFields(
      kit.withAssetFields(farm, { withheld: kit.text('Withheld') }, ['animal']),
      { withheld: kit.text('Withheld') }, ['farm_areas'])`
    const path = join(await emptyDirectory(), 'own-word.mjs')
    await writeFile(path, text)
    const told: string[] = []
    const write = process.stderr.write
    process.stderr.write = ((line: string) => told.push(line) > 0) as typeof process.stderr.write
    const farm = await loadFarm([path]).finally(() => {
      process.stderr.write = write
    })
    expect(told.join()).toContain('asset animal.withheld')
    expect(farm.records.asset.bundles.animal?.fields.withheld).toMatchObject({ kind: 'text' })
    expect(farm.records.asset.properties).not.toHaveProperty('withheld')
    expect(farm.records.term.bundles.farm_areas?.fields.withheld).toMatchObject({ kind: 'text' })
  })
})
