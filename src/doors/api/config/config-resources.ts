import type { FastifyInstance } from 'fastify'
import { requireRight } from '../../../access/caller.ts'
import type { Farm } from '../../../farm/farm.ts'
import { resourceTypes } from '../../../farm/newer/resource-types.ts'
import type { Records } from '../../../records/records.ts'
import { callerOf } from '../../http/caller.ts'
import { linkedTypes } from '../linked-types.ts'
import { shortListRoutes } from '../short-list/short-list.ts'
import type { ConfigThing, Drawn } from '../wire/thing.ts'
import { type Catalogue, type ConfigType, type ConfigWord, configTypes } from './config-types.ts'
import { configUuid } from './config-uuid.ts'

/** The words of the catalogue, as resources that are only read. */
export function configRoutes(app: FastifyInstance, installation: Records): void {
  const { farm, database } = installation
  for (const [type, config] of configTypes) {
    shortListRoutes(app, installation, {
      type,
      searchable: config.attributes,
      all: async (request) => {
        requireRight(await callerOf(request, installation), 'read-records')
        const types = await database.read((snapshot) => linkedTypes(farm, snapshot))
        return drawnWords(type, config, { farm, types })
      },
    })
  }
}

/** The words that others point to, as resources. */
export function drawConfig(farm: Farm, things: readonly ConfigThing[]): readonly Drawn[] {
  const catalogue = { farm, types: [...resourceTypes(farm).values()] }
  return things.flatMap(({ type, id }) => {
    const config = configTypes.get(type)
    const word = config?.words(catalogue).find((one) => one.id === id)
    return config === undefined || word === undefined ? [] : [drawnWord(type, config, word)]
  })
}

const drawnWords = (type: string, config: ConfigType, catalogue: Catalogue): readonly Drawn[] =>
  config
    .words(catalogue)
    .map((word) => drawnWord(type, config, word))
    .toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))

const nameOf = ({ thing }: Drawn): string => String(thing.id)

const drawnWord = (type: string, { idName }: ConfigType, { id, attributes }: ConfigWord): Drawn => ({
  thing: { of: 'config', type, id },
  type,
  id: configUuid(type, id),
  attributes: { [idName]: id, langcode: 'en', status: true, dependencies: {}, ...attributes },
  relationships: {},
})
