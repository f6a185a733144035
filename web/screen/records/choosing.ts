import type { Chooser } from '../../look/choosing.ts'
import { replace, route, withQuery } from '../../look/router.ts'

/** Several of a list are chosen by the address: `?select=5,7`; "none" before the first. Null where nothing is to be chosen. */
export function chosenIds(query: URLSearchParams): readonly string[] | null {
  const given = query.get('select')
  if (given === null || route.value.path !== '/records') return null
  return given === none ? [] : given.split(',')
}

const none = 'none'

export const startChoosing = (): void => replace(withQuery({ select: none }))
export const endChoosing = (): void => replace(withQuery({ select: null }))

export function chooseAll(ids: readonly string[]): void {
  replace(withQuery({ select: ids.length === 0 ? none : ids.join(',') }))
}

/** For the rows of the list. */
export function chooserOf(chosen: readonly string[]): Chooser {
  return {
    isChosen: (page) => chosen.includes(idIn(page)),
    choose: (page) => {
      const id = idIn(page)
      chooseAll(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id])
    },
  }
}

/** "/asset/5" */
const idIn = (page: string): string => page.split('?')[0]?.split('/').at(-1) ?? ''
