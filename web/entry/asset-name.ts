import { assetBy } from '../store/copy.ts'

export const nameOfAsset = (id: string): string => assetBy(id)?.name ?? ''
