export default {
  title: "The tool library",
  url: "https://tools.example.com",
  favicon: "icon.svg",
  baseUrl: "/",
  trailingSlash: true,
  onBrokenLinks: "throw",
  clientModules: ["./src/ask.js"],
  customFields: {
    ask: {
      endpoint: process.env.ASK_ENDPOINT ?? "http://127.0.0.1:8000",
      key: process.env.ASK_KEY,
    },
  },
  themes: [["@docusaurus/theme-classic", { customCss: "./src/custom.css" }]],
  plugins: [["@docusaurus/plugin-content-docs", { routeBasePath: "/" }]],
  themeConfig: {
    navbar: { title: "The tool library" },
    colorMode: { defaultMode: "light", respectPrefersColorScheme: true },
  },
}
