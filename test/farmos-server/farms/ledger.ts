import type { Farm } from '../data/farm.ts'
import { addLog, addTerm } from './adding.ts'

/** Purchases and sales: types of a module that a farmOS 1.x may have, and whose numbers are fractions. */
export function withLedger(farm: Farm): { purchase: number; sale: number } {
  const unit = addTerm(farm, 'bags', { bundle: 'farm_quantity_units' })
  const purchase = addLog(farm, 'Bought seeds', {
    bundle: 'farm_purchase',
    values: {
      seller: 'Bingenheimer',
      invoice_number: '2019/7',
      quantity_value: { numerator: '5', denominator: '2' },
      quantity_units: unit,
      unit_price: { numerator: '199', denominator: '100' },
      total_price: { numerator: '199', denominator: '40' },
    },
  })
  const sale = addLog(farm, 'Sold lettuce', {
    bundle: 'farm_sale',
    values: { customer: 'Market', quantity_value: { numerator: '3', denominator: '1' } },
  })
  return { purchase, sale }
}
