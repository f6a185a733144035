import type { Farm } from '../../../farm/farm.ts'
import { resourceTypes } from '../../../farm/newer/resource-types.ts'
import type { ConfigThing, Drawn } from '../wire/thing.ts'
import { type ConfigType, type ConfigWord, configTypes } from './config-types.ts'
import { configUuid } from './config-uuid.ts'

/** The words that others point to, as resources. */
export function drawConfig(farm: Farm, things: readonly ConfigThing[]): readonly Drawn[] {
  const catalogue = { farm, types: [...resourceTypes(farm).values()] }
  return things.flatMap(({ type, id }) => {
    const config = configTypes.get(type)
    const word = config?.words(catalogue).find((one) => one.id === id)
    return config === undefined || word === undefined ? [] : [drawnWord(type, config, word)]
  })
}

export const drawnWord = (type: string, { idName }: ConfigType, { id, attributes }: ConfigWord): Drawn => ({
  thing: { of: 'config', type, id },
  type,
  id: configUuid(type, id),
  attributes: { [idName]: id, langcode: 'en', status: true, dependencies: {}, ...attributes },
  relationships: {},
})
