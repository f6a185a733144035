import { text } from '../../fields/text.ts'
import type { Bundle } from '../farm.ts'
import { standardFields } from './standard-fields.ts'

/** The record interface (1.x) has both from their first record on; Furrow's own interface can make the first. */
const fromFirstRecord = { only: 'newer', first: 'in a batch' } as const

const papers = { invoice_number: text('Invoice number'), lot_number: text('Lot number') }

export const saleFields = { ...standardFields, customer: text('Customer'), ...papers }
export const purchaseFields = { ...standardFields, ...papers, seller: text('Seller') }

export const sale: Bundle = {
  label: 'Sale',
  plural: 'Sales',
  ...fromFirstRecord,
  fields: saleFields,
}

export const purchase: Bundle = {
  label: 'Purchase',
  plural: 'Purchases',
  ...fromFirstRecord,
  fields: purchaseFields,
}
