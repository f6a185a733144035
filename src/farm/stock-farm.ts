import { languages as spoken } from '../words/languages.ts'
import * as assetTypes from './assets/asset-types.ts'
import { assetProperties } from './assets/properties.ts'
import type { Farm, Language } from './farm.ts'
import { lists } from './lists.ts'
import * as logTypes from './logs/log-types.ts'
import { logProperties } from './logs/properties.ts'
import { farmClient, fieldkitClient } from './people/clients.ts'
import { scopes } from './people/scopes.ts'
import { quantityProperties } from './quantities/properties.ts'
import * as quantityTypes from './quantities/quantity-types.ts'
import { termProperties } from './terms/properties.ts'
import * as vocabularies from './terms/vocabularies.ts'

/** Every language of Furrow; the farm's settings select from them. */
const languages: readonly Language[] = Object.entries(spoken).map(([language, { name, native, rightToLeft }]) => ({
  language,
  name,
  native,
  direction: rightToLeft ? 1 : 0,
}))

/** The farm before any module. */
export const stockFarm: Farm = {
  records: {
    log: { name: 'log', idName: 'id', bundleName: 'type', properties: logProperties, bundles: { ...logTypes } },
    asset: {
      name: 'asset',
      idName: 'id',
      bundleName: 'type',
      properties: assetProperties,
      bundles: { ...assetTypes },
    },
    term: {
      name: 'term',
      idName: 'tid',
      bundleName: 'vocabulary',
      properties: termProperties,
      bundles: { ...vocabularies },
    },
    quantity: {
      name: 'quantity',
      idName: 'id',
      bundleName: 'type',
      properties: quantityProperties,
      bundles: { ...quantityTypes },
    },
  },
  lists,
  languages,
  scopes,
  clients: [farmClient, fieldkitClient],
  info: {},
}
