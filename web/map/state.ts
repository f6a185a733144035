import { go, replace, route, withQuery } from '../look/router.ts'
import { areaTree } from './area-tree.ts'

/** The address holds the whole state of the map: `/map?area=12&at=2026-05-03&by=rest&view=list`. */
export const chosenArea = (): string | undefined => {
  const given = route.value.query.get('area')
  if (given === null) return undefined
  const { byId } = areaTree.value
  if (byId.has(given)) return given
  for (const area of byId.values()) if (area.uuid === given) return area.id
  return undefined
}

export const colours = (): 'kind' | 'rest' => (route.value.query.get('by') === 'rest' ? 'rest' : 'kind')

export const showsList = (): boolean => route.value.query.get('view') === 'list'

/** Where choosing an area leads: the same map, with its sheet. */
export const addressOfArea = (id: string): string => withQuery({ area: id })

/** Back closes the sheet that a first tap opened; going from area to area adds nothing to the way back. */
export function chooseArea(id: string): void {
  if (chosenArea() === undefined) go(addressOfArea(id))
  else replace(addressOfArea(id))
}

export function closeArea(): void {
  if (chosenArea() !== undefined) replace(withQuery({ area: null }))
}
