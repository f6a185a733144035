/** What a query says about the list itself; no field is called so. */
export const queryWords: readonly string[] = ['page', 'limit', 'sort', 'direction', 'full', 'with', 'as_of']
