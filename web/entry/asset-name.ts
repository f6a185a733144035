import { assetBy } from '../store/local-copy.ts'

export const nameOfAsset = (id: string): string => assetBy(id)?.name ?? ''
