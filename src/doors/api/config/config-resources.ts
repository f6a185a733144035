import type { FastifyInstance } from 'fastify'
import { requireRight } from '../../../access/caller.ts'
import type { Records } from '../../../records/records.ts'
import { callerOf } from '../../http/caller.ts'
import { linkedTypes } from '../linked-types.ts'
import { shortListRoutes } from '../short-list/short-list.ts'
import type { Drawn } from '../wire/thing.ts'
import { type Catalogue, type ConfigType, configTypes } from './config-types.ts'
import { drawnWord } from './draw-config.ts'

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

const drawnWords = (type: string, config: ConfigType, catalogue: Catalogue): readonly Drawn[] =>
  config
    .words(catalogue)
    .map((word) => drawnWord(type, config, word))
    .toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))

const nameOf = ({ thing }: Drawn): string => String(thing.id)
