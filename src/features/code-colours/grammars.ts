/** Prism's grammars by the names that Pygments has for languages: `Name=grammar`. */
const GRAMMARS = `
ABAP=abap|ABNF=abnf|ActionScript=actionscript|ActionScript 3=actionscript|Ada=ada|Agda=agda|ANTLR=antlr4|
ApacheConf=apacheconf|APL=apl|AppleScript=applescript|Arduino=arduino|Arturo=arturo|AspectJ=java|
autohotkey=autohotkey|AutoIt=autoit|Awk=awk|Bash=bash|Bash Session=shell-session|Batchfile=batch|BBCode=bbcode|
BNF=bnf|BQN=bqn|Brainfuck=brainfuck|C=c|C#=csharp|C++=cpp|ChaiScript=chaiscript|Clojure=clojure|
ClojureScript=clojure|CMake=cmake|COBOL=cobol|COBOLFree=cobol|CoffeeScript=coffeescript|Common Lisp=lisp|
Crystal=crystal|CSS=css|CUDA=cpp|Cypher=cypher|Cython=python|D=d|Dart=dart|Dax=dax|Delphi=pascal|
Desktop file=ini|Diff=diff|Django/Jinja=django|Docker=docker|EBNF=ebnf|Eiffel=eiffel|Elixir=elixir|Elm=elm|
EmacsLisp=lisp|ERB=erb|Erlang=erlang|F#=fsharp|Factor=factor|Fortran=fortran|FortranFixed=fortran|g-code=gcode|
GAP=gap|GAS=nasm|GDScript=gdscript|Gettext Catalog=gettext|Gherkin=gherkin|GLSL=glsl|Go=go|GoogleSQL=sql|
GraphQL=graphql|Graphviz=dot|Groovy=groovy|Haml=haml|Handlebars=handlebars|Haskell=haskell|Haxe=haxe|HLSL=hlsl|
HTML=markup|HTML+Django/Jinja=django|HTML+Handlebars=handlebars|HTML+PHP=php|HTML+Smarty=smarty|HTML+Twig=twig|
HTTP=http|Icon=icon|Idris=idris|Inform 7=inform7|INI=ini|Io=io|J=j|Java=java|JavaScript=javascript|JSON=json|
JSON-LD=json|JSON5=json5|JSX=jsx|Julia=julia|Kotlin=kotlin|Kusto=kusto|LessCss=less|LilyPond=lilypond|
liquid=liquid|LiveScript=livescript|LLVM=llvm|Lua=lua|Luau=lua|Makefile=makefile|Markdown=markdown|
Mathematica=wolfram|Matlab=matlab|Mojo=python|Monkey=monkey|MoonScript=moonscript|MySQL=sql|NASM=nasm|nesC=c|
Nginx configuration file=nginx|Nimrod=nim|Nix=nix|NSIS=nsis|Objective-C=objectivec|Objective-C++=objectivec|
OCaml=ocaml|Octave=matlab|ODIN=odin|Perl=perl|PHP=php|PL/pgSQL=sql|PostgreSQL console (psql)=sql|
PostgreSQL SQL dialect=sql|PowerShell=powershell|Prolog=prolog|PromQL=promql|Properties=properties|
Protocol Buffer=protobuf|Pug=pug|Puppet=puppet|Python console session=python|Q=q|QBasic=basic|QML=qml|
Racket=racket|ReasonML=reason|Rego=rego|reStructuredText=rest|RHTML=erb|RobotFramework=robotframework|
Rocq Prover=coq|Ruby=ruby|Ruby irb session=ruby|Rust=rust|S=r|SAS=sas|Sass=sass|Scala=scala|Scheme=scheme|
SCSS=scss|Smali=smali|Smalltalk=smalltalk|Smarty=smarty|Solidity=solidity|SPARQL=sparql|SQL=sql|SQL+Jinja=sql|
sqlite3con=sql|Stan=stan|Standard ML=sml|Stata=stata|SuperCollider=supercollider|Swift=swift|Systemd=systemd|
systemverilog=verilog|TAP=tap|Tcl=tcl|Tcsh=bash|Terraform=hcl|TOML=toml|Transact-SQL=sql|TSX=tsx|Turtle=turtle|
Twig=twig|TypeScript=typescript|TypoScript=typoscript|Vala=vala|VB.net=vbnet|VBScript=visual-basic|
Velocity=velocity|verilog=verilog|vhdl=vhdl|VimL=vim|Vue=markup|Web IDL=web-idl|WebAssembly=wasm|
WebGPU Shading Language=wgsl|Wikitext=wiki|Wren=wren|XML=markup|XQuery=xquery|XSLT=markup|YAML=yaml|
YAML+Jinja=yaml|YANG=yang|Zeek=bro|Zig=zig|Zone=dns-zone-file`;

/** The grammar that reads a language's code, by the language's name in Pygments. */
export const grammarOf: ReadonlyMap<string, string> = new Map(
  GRAMMARS.replaceAll('\n', '')
    .split('|')
    .map((row): [string, string] => {
      const at = row.lastIndexOf('=');
      return [row.slice(0, at), row.slice(at + 1)];
    }),
);
