// What is used of the engine as it is compiled for browsers; tesseract.js has no types of it.
declare module 'tesseract.js-core/tesseract-core-simd-lstm.js' {
  type TessBaseApi = {
    /** -1 where it failed. */
    Init(dataPath: null, languages: string, engineMode: number): number
    /** Takes `/input`. 1 where it is no picture that it can read. */
    SetImageFile(orientation: number, angle: number): number
    Recognize(monitor: null): number
    GetJSONText(): string
    End(): void
  }
  export type TesseractCore = {
    FS: { writeFile(path: string, content: Uint8Array): void; unlink(path: string): void }
    TessBaseAPI: new () => TessBaseApi
  }
  const load: (options: {
    wasmBinary?: Uint8Array | undefined
    print?: (line: string) => void
    printErr?: (line: string) => void
  }) => Promise<TesseractCore>
  export default load
}
