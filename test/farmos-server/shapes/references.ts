import type { View } from './view.ts'

export interface Reference {
  readonly uri: string
  readonly id: string
  readonly resource: string
  readonly name?: string
}

export const reference = (resource: string, id: number, { base }: View): Reference => ({
  uri: `${base}/${resource}/${id}`,
  id: String(id),
  resource,
})

/** Only terms tell their name; one that is gone has none. */
export function termReference(id: number, view: View): Reference {
  const term = view.farm.terms.find((one) => one.id === id)
  return { ...reference('taxonomy_term', id, view), ...(term && { name: term.name }) }
}

export const assetReference = (id: number, view: View): Reference => reference('farm_asset', id, view)
export const userReference = (id: number, view: View): Reference => reference('user', id, view)

/** Accounts that are blocked are told to few; ones that are gone, to all. */
export const isTold = (id: number, { farm, viewer }: View): boolean =>
  viewer === 1 ||
  farm.tellsOfBlockedAccounts ||
  !farm.accounts.some((account) => account.id === id && account.isBlocked)
export const fileReference = (id: number, view: View): Reference => reference('file', id, view)
