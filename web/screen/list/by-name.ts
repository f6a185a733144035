const order = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

interface Named {
  readonly name: string
}

/** "Bed 2" before "Bed 10". */
export const byName = (one: Named, other: Named): number => order.compare(one.name, other.name)
