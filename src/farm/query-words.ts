/** What a query says about the list itself; no field is called so. */
export const queryWords: readonly string[] = ['page', 'limit', 'sort', 'direction', 'full', 'with', 'as_of', 'report']

/** What is shown of a record only to who asks for it by `with`, whatever its type; no field is called so. */
export const identityWords = ['uuid', 'version'] as const

/** What is said about a write itself, or told of one that is only tried; no field is called so. */
export const writeWords: readonly string[] = ['dry_run', 'dryrun', 'would_create']
