export declare const happyDomFile: string
export default function bundleHappyDom(): Promise<void>
