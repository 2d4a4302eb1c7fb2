/**
 * Made by scripts/derive-code-classes.ts: `@Language`, `.type` of Prism, then a form and Pygments' class for each row.
 */
export const CLASS_ROWS_A_L = String.raw`
@*
.annotation.builtin any nd .annotation.punctuation any nd .antiquotation.important any si .argument any s
.argument.variable any ni word nv .assign-left.variable any nv .at.operator any kd .atom any n .atom.symbol any ss
.atrule any nt word@ nv .attr-name =k ss any na sign: p .attr-value any s .attribute any na .attribute.atrule any kr
.attribute.attr-name =nb cp any cp .attribute.variable any na .bash.language-bash any - .bash.punctuation any s
.blockquote.punctuation any k .boolean =k no CAPITALS k Capital kc any no .boolean.important
any l+l-Scalar+l-Scalar-Plain .builtin Capital nc any nb .builtin-target.builtin any nf .builtin.class-name any nb
.car any nb .cdata any cp .char any sc .char.string any sc .class-name any n sign. p .class-name-definition.class-name
any nc .closure-params any n .closure-punctuation.punctuation any o .code-language any sb .code-snippet.code.keyword
any sb .code.keyword any - .command any - sign% nv .comment any c1 escape kp quoted! c quoted#!/ ch quoted% c
quoted%% c quoted(* c quoted/* cm quoted/** cm quoted:: p quoted<!- cm quoted= cm quoted{# c .comment.doc-comment
any c1 .computation-expression.keyword any n .constant CAPITALS n any kt word cp .constructor-invocation.class-name
any nf .content any n .coord any gd integer gu sign+++ gi sign, gu sign@@ gu .date.number any ld
.definition-query.function any nf .delimiter.important any o sign<?= cp sign?> cp word nx .delimiter.operator any si
.delimiter.punctuation any cp sign# si sign-% - .delimiter.symbol any dl .description.string any err .directive any s
float n integer mi sign: p sign= p sign^/ sr signdollar sr .directive-block-parameter.attr-value any s
.directive-block.tag any nt .directive-flags.keyword any - .directive-hash any cp .directive-inline.property any nb
.directive.function any nd .directive.keyword =k cp any cp .doctype-tag any cp .double-colon.punctuation any o
.ellipsis any kc .entity any ni .entity.named-entity any ni .environment.constant any s .escape.entity any s
.expression any cp word n .expression.language-csharp any s .file-descriptor.important any m sign& p .filter.function
any nf .for-or-select.variable any - .format-string any s .fragment.function any n .function =kp nf CAPITALS k any n
sign- nb sign. nf word nf .function-definition.function =bp nf any nf .function-name.function any -
.function-variable.function any nx .generic.class-name any n .hashbang.comment any c1 .header-name.keyword any na
.header-value any l .heredoc.string any o .hr.punctuation any - .http-version.property any kr float m sign/ o
.hvariable any n .id.function any s .identifier any n+n-Quoted .import-statement any nn .important any cp .inner-value
any s .inserted.class-name any s .instruction CAPITALS nv any - float m integer s sign, p sign: s sign; p sign= o
sign[ p sign] p .interpolation any n .interpolation-punctuation.punctuation any si .kernel-function.property any nb
.key.atrule any nt .key.attr-name any na sign\ se .key.property any n sign" s2 .keyword any k sign* nb sign. nv
sign=> o .keyword.return-type any nx .keyword.static-context any nx .keyword.type-casting any nx .keyword.type-hint
any nx .label.function any nl .label.property any p word nl .lambda-parameter any nf .language-css any mh
.language-javascript any nx .language-markdown any err .lifetime-annotation.symbol any o word na .line any gi
integer - sign; - word - .lisp-marker any k .lisp-property.property any ss .list.punctuation any k
.literal-property.property any nx .macro-name any cp .macro-name.function any cp .macro.property any fm
.map.class-name any n .metadata.function any nd .method.property any nf .mixin-usage.function any err
.module-declaration.namespace any nn .module-modifier.keyword any nt .module.class-name any nc .name any cp .namespace
CAPITALS no any nn sign. no sign: nt sign[ no sign] no .none =no na any n float mf integer mi plain - sign" s sign"> s
sign# err sign#! o sign% kt sign& o sign' nf sign( p sign) p sign* - sign+ - sign, p sign- - sign-- nv sign. - sign/ -
sign/* - sign// - sign: o sign; x sign= p sign=" o sign>< p sign></ p sign? p sign@ p sign@@ gu sign\ sr sign] c
signdollar nv signdollardollar s sign{ gu sign| p word@ nd .null.important any l+l-Scalar+l-Scalar-Plain .null.keyword
any kc .number any mi float mf hex mh sign# mh sign' mb sign- mf signdollar no word nb .object any n .omit.keyword
any kc .operator CAPITALS k any o sign% nv sign. p sign: p sign; p sign>> gp sign@ p sign[ p sign] p signtick p
sign{ p sign} p .operator-like-punctuation.punctuation any o .other-directive.property any cp .output any go .package
any nx .parameter any nx .parameter.attr-name any - .parameter.variable any - .parent.important any k .path any gp
.percent-operator.operator any o .php.language-php any nx .placeholder any err .plain-text any nx word& o
.positional-class-name.class-name any n .prefix.deleted any gd .prefix.inserted any gi .preprocessor.property any cp
.prolog any cp .property CAPITALS s Capital err any nt sign- k sign-- - .property-query any n
.property-query.property-mutation any n .punctuation any p sign" s sign# nl sign' s sign* ge sign** gs
sign- p+p-Indicator sign--- - sign<! cp sign= o sign? o sign\ nx signdollar si signtick n+n-Quoted signtickticktick sb
sign| - sign~~ gd word o .punctuation.attr-equals any o .quoted-atom.atom any n .quoted-symbol.variable.symbol any ss
.raw-string.string any s .reason-phrase.string any ne .regex any sr quotedr sa quoted~ sx .regex-delimiter any sr
.regex-flags any sr .regex-source.language-regex any sr .register.variable any nb .request-target.url any nn
.return-type.class-name any n .rule any k .scalar any n .scalar.string any no .script-punctuation.punctuation any o
.script.language-javascript any nx .section-name.selector any k .selector any o integer nt sign" s2 sign# p sign- nd
sign. p sign: p word nt .shebang.important any ch .shell-symbol.important any gp .short-argument any nv
.splice.symbol.variable any o .statement.keyword any o .static any nn .status-code.number any m .string any s2
escape se quoted sb quoted""" s quoted"% s quoted"\ s quoted"^\ s quoted"{ s quoted"{} s quoted"~ s quoted' s1
quoted'% s1 quoted'' s+s-Multiline quoted: s quoted< cpf quoted@" s quotedb s quotedf sa quotedr s1 quotedtick s
.string.double-quoted-string any s2 .string.heredoc-string any s .string.single-quoted-string any s1 .string.url
any s2 .symbol any ss .table-data any - .table-header.important any - .table.class-name any k .tag any nt .tag.keyword
any k .target.symbol any nf .template-punctuation.string any sb .test.function any nf .title.important any gh
.triple-quoted-string.string any s .type-definition.class-name any nc .type-variable.function any k word n
.type.variable any nv .url any - quoted na .url-reference.url any na .user any gp .value.attr-value any s sign\ se
.value.css.language-css any s .variable =k s =nb nv CAPITALS - any nv integer mi sign# si sign% - sign%% se sign( k
sign) k signdollar k signtick sb sign{ si sign} si .variant.symbol any o .version.number any k .vhdl-vectors.number
any mh
@Ada
.attribute.attr-name Capital na any p .char any p .comment any c1 .number any mi float mf sign# mh .operator any p
sign& o sign/= o sign>= o .punctuation any p .string any s .variable any n
@ApacheConf
.comment any c .directive-block-parameter.attr-value any s .directive-block.tag any nt .directive-flags.keyword any -
.directive-inline.property any nb word - .none =nb k any - integer m .punctuation any nt sign: s .regex any - .string
any s2 .variable any -
@Awk
.comment any c1 .function any nx .hashbang.comment any c1 .keyword any o .none any nx .number any mi float mf
.operator any o .punctuation any p .regex any sr .string any s2 .variable any o integer mi
@Bash
.assign-left.variable any nv .bash.punctuation any s .boolean =nb - .comment any c1 .entity any s2
.environment.constant CAPITALS - any s .file-descriptor.important any m sign& p .for-or-select.variable any -
.function any - .function-name.function any - .none any - .number any m .operator any o sign! - sign& p sign- k
sign/ p sign: k sign< - sign<< s sign> - sign| p .parameter.variable any - .punctuation any p sign( o sign) o sign[ o
sign] o sign{ o sign} o .shebang.important any ch .string any s2 escape s1 quoted s quoted' s1 quoted'% s1
quoted'^# s1 quoted'{ s1 .variable any nv sign( k sign) k sign+% - signdollar si signtick sb sign{ si sign} si word p
@Bash Session
.bash.language-bash any - .builtin.class-name any nb .for-or-select.variable any - .function any - .keyword any k
.number any m .operator any p sign&& o sign> gp .output any go .parameter.variable any - .path any gp .punctuation
any p sign: gp sign\ se .shell-symbol.important any gp .string any s2 quoted' s1 .user any gp .variable any nv
@Batchfile
.command CAPITALS nv any - sign% nv sign> p sign>> p .comment any c1 quoted:: p .keyword CAPITALS nv any k integer mi
.label.property any p word nl .number any mi .operator any p sign+ o sign== o word ow .parameter.attr-name any -
.punctuation any p .string any s2 .variable CAPITALS nv any se integer nv sign% nv word -
@C
.char any sc .class-name any n .comment any cm quoted// c1 .constant any cp .directive-hash any cp .directive.keyword
any cp .expression any cp .function any n .keyword any kt .macro-name any cp .macro-name.function any cp .none any n
.number any mi float mf hex mh sign- mf .operator any o sign< cp .punctuation any p sign( cp sign) cp sign. cp .string
any se quoted" cpf quoted"% s quoted< cpf
@C#
.boolean any k .char any sc .class-name any n .comment any c1 .constructor-invocation.class-name any nf
.directive.keyword any cp .expression.language-csharp any s .format-string any s .function any n .keyword any k
.namespace any nn .none any n .number any m .operator any o .preprocessor.property any cp .punctuation any p sign< o
sign> o sign? o .return-type.class-name any n .string any s
@C++
.char any sc .class-name any nc .comment any c1 .directive-hash any cp .directive.keyword any cp
.double-colon.punctuation any o .function any n .generic.class-name any n .keyword any k .none any n .number any mi
float mf hex mh .operator any o .punctuation any p .raw-string.string any s .string any s escape se quoted< cpf
@CMake
.boolean any s .comment any c .inserted.class-name any s .keyword any nb .namespace any s .none any s sign] c .number
any s .operator any s .property any s .punctuation any p signdollar s2 sign{ s2 sign} s2 .string any s2 .variable
CAPITALS s any s2
@CSS
.atrule any nt .comment any c .function any nb .important any cp .keyword any nt .none Capital n any mi float mf
sign# mh sign% kt sign- kc sign-- nv sign. mf sign/ o word kc .property any k sign-- nv .punctuation any p .rule any k
word@ p .selector any nt sign" s2 sign# p sign( o sign) o sign+ o sign, o sign- nd sign. p sign: p sign> o sign[ o
sign] o sign^=" o .string any s2 .string.url any s2 quoted' s1
@Clojure
.boolean any nv .char any sc .comment any c1 .function any nf .keyword any nb .none any nv sign& o sign' ss sign: ss
.number any mi float mf sign/ m .operator any o .punctuation any p .string any s .symbol any ss
@Common Lisp
.argument any s .argument.variable any nv .boolean =kt no any no .car any nb .comment any c1 .function any nv .keyword
any nb .lisp-marker any k .lisp-property.property any ss .none any nv integer m sign# mh sign#\ sc sign#| cm sign* vg
sign/ m sign|# cm .number any mi float mf .punctuation any p sign' nf signtick o .quoted-symbol.variable.symbol any ss
.splice.symbol.variable any o word nv .string any s
@Crystal
.builtin any n .char any sc .class-name any nn .comment any c1 .constant Capital nc any no .content any n
.delimiter.operator any si .delimiter.punctuation any si .function any nf .keyword any k .none any n signdollar sr
.number any mi float mf hex mh .operator any o sign+ sr sign/ sr sign: p sign? n sign^ sr .punctuation any p sign. o
sign[ o sign\ sr sign] o .string any s2 escape se .symbol any ss .variable any vi
@D
.char any sc .class-name any n .comment any cm quoted// c1 .function any n .none any n sign? p .number any mi float mf
hex mh .operator any p .punctuation any p .string any s
@Dart
.class-name any n .comment any c1 .expression any n .function any n .keyword any k .metadata.function any nd .none
any n .number any m hex mh .operator any o word k .punctuation any p sign: o sign< o sign> o signdollar si .string
any s1 escape se quoted" s2
@Delphi
.comment any cm quoted// c1 .keyword Capital n any kp .none any n .number any mi float mf signdollar mh .operator
any o .punctuation any o sign( p sign) p .string any s
@Diff
.coord any gd integer gu sign+ gu sign+++ gi sign, gu sign@@ gu .line any gi integer - sign+ - sign; - sign} - word -
.none any gh integer gu sign( gu sign) gu sign+ gu sign, gu sign- gu sign@@ gu sign\ - sign{ gu .prefix.deleted any gd
.prefix.inserted any gi
@Django/Jinja
.attr-name any x .attr-value any x .boolean any kp .comment any c .delimiter.punctuation any cp sign-% -
.filter.function any nf .function any nv .keyword any k .none any x .number any m .operator any o .punctuation any x
sign( o sign) o sign, o sign. nv sign: s1 sign[ o sign] o .punctuation.attr-equals any x .string any s1 quoted" s2
.tag any x .tag.keyword any k .test.function any nf .variable any nv
@Docker
.comment any c .instruction CAPITALS nv any - float m integer s sign&& o sign, p sign: s sign; p sign= o sign[ p
sign] p sign|| o .keyword any k .operator any se .property any - .punctuation any o .string any s2 quoted - quoted' s1
@Elixir
.argument.variable any ni .atom.symbol any ss .attr-name any p word ss .attribute any na .attribute.variable any na
.comment any c1 .delimiter.punctuation any si .function any n .interpolation any n .module.class-name any nc .none
any n sign: ss sign? sc .number any mi float mf hex mh .operator any o sign\\ p .punctuation any p sign. o .regex
any sx escape se .string any s2 escape se quoted""" sh quoted' s1 quoted~ sx
@Erlang
.atom any n .boolean any n .comment any c .function any nf .number any mi worddollar sc .operator any o .punctuation
any p sign# nl sign<< o sign>> o .quoted-atom.atom any n .string any s escape se .variable CAPITALS no any nv sign? o
word p
@F#
.char any sc .class-name any nc word n .comment any sd quoted(* c quoted// c1 .computation-expression.keyword any n
.function any nf .keyword any k .none any n .number any mi .operator any o .punctuation any o sign. p .string any s
escape se
@Fortran
.comment any c .keyword any k .none any n .number any mi float mf .operator any kd sign% p sign* o sign** o sign+ o
sign. p sign= o sign== o sign>= o word nb .punctuation any p .string any s1 quoted" s2
@GAS
.label.function any nl .none CAPITALS no CAPITALS@ no Capital c1 any na sign# c1 sign( p sign) p sign, p word nf
.number any no .operator any nv sign- mi signdollar no .register.variable any nv .string any s
@Go
.char any sc .comment any c1 quoted/* cm .function =kt nb any nx word nb .none any nx .number any mi float mf hex mh
.operator any o sign< p sign= p .punctuation any p .string any s
@GraphQL
.attr-name =k nl any n .boolean any nb .class-name any err .comment any c .constant any n .definition-query.function
any nf .description.string any err .directive.function any nd .fragment.function any n .keyword any k
.language-markdown any err .number any mi float mf .object Capital err any n .operator any err sign. p .property
Capital err any n .property-query any n .property-query.property-mutation any n .punctuation any p sign[ err sign] err
.scalar any n .string any s escape se .variable any nv
@Groovy
.annotation.punctuation any nd .class-name any nc .comment any c1 quoted/* cm .expression any s2 .function any n
.interpolation-punctuation.punctuation any s2 .none any n .number any mi float mf hex mh .operator any o .punctuation
any o sign: nl .string any s1 escape s2 quoted" s2 quoted: s2 quoted\ s2
@HTML
.attr-name any na .attr-value any s .comment any cm .doctype-tag any cp .entity.named-entity any ni .function any nx
.keyword any kd .language-css any mh word kc .language-javascript any nx .name any cp .none any - .number any mf
.operator any o .property any k .punctuation any p sign" s sign' s sign<! cp .punctuation.attr-equals any o .selector
any nt .string any s2 .tag any nt .value.css.language-css any s
@HTTP
.header-name.keyword any na .header-value any l .http-version.property any kr float m sign/ o .method.property any nf
.none Capital - any p sign"> s sign=" o word nt .number any mi .operator any p .property any nt .punctuation any o
sign, p sign{ p sign} p .reason-phrase.string any ne .request-target.url any nn .status-code.number any m .string
any s2
@Haskell
.builtin any n .char.string any sc .comment any cm quoted-- c1 .constant any kt .hvariable any n .import-statement
any nn .keyword any k .none any nf .number any mi float mf hex mh .operator any ow sign! o sign* o sign+ o sign++ o
sign. o sign> o sign>= o sign\ nf sign^ o signdollar o signtick p sign| o word n .punctuation any p sign. nn .string
any s escape se
@INI
.comment any c1 .inner-value any s .key.attr-name any na .none any s sign: o .punctuation any o sign[ k sign] k
.section-name.selector any k .value.attr-value any s
@JSON
.boolean any kc .null.keyword any kc .number any mf integer mi .operator any p .property any nt .punctuation any p
.string any s2
@JSX
.attr-name any na .attr-value any s .class-name any nt sign. p .comment any c1 .function any nx
.function-variable.function any nx .interpolation any nx .interpolation-punctuation.punctuation any si
.literal-property.property any nx .none any nx .number any mf .operator any o sign=> p .parameter any nx .plain-text
any nx sign: o sign; p word& o .punctuation any p sign" s sign' s .punctuation.attr-equals any o
.script-punctuation.punctuation any o .script.language-javascript any nx .string any s1 quoted sb .tag any nt
.template-punctuation.string any sb
@Java
.annotation.punctuation any nd .char any sc .class-name any n .comment any cm quoted// c1 .constant any n .function
any na .keyword any n .namespace any nn .none any n .number any mi float mf hex mh .operator any o sign* nn sign: p
.punctuation any p sign< o sign> o sign[ o sign] o .static any nn .string any s
@JavaScript
.class-name any nx .comment any c1 quoted/* cm .constant any nx .function any nx .function-variable.function any nx
.interpolation any nx .interpolation-punctuation.punctuation any si .keyword any nx .none any nx sign# err .number
any mf hex mh .operator any o sign. p sign=> p .parameter any nx .punctuation any p .regex-delimiter any sr
.regex-flags any sr .regex-source.language-regex any sr .string any s2 quoted sb quoted!\ sb quoted' s1 quoted'/' s1
quoted'?' s1 .template-punctuation.string any sb
@Julia
.char any sc .comment any c quoted#= cm .constant any nb .keyword any k .none Capital kt any n sign∈ o word@ nd
.number any mi float mf hex mh .operator any o sign! n .punctuation any p sign. o sign: o sign? o .regex any sr
escape err quotedr sa .string any s escape se
@Kotlin
.annotation.builtin any nd .char any sc .comment any cm quoted// c1 .expression any n .function Capital nc any n
word nf .interpolation-punctuation.punctuation any si .keyword any kd .none CAPITALS nv any n .number any m .operator
any o sign. m sign: p .punctuation any p sign[ o sign] o .string any s
@LessCss
.atrule any nt word@ nv .comment any o quoted/* c .function any nf .important any cp .mixin-usage.function any err
.none any mi sign# mh sign% kt sign& o sign. p sign~ o word kc .operator any o .property any k .punctuation any p
sign( o sign) o .selector any o integer nt sign# p sign& err sign. p word nc .string any s2 .variable any nv
@Lua
.comment any c1 quoted--[ cm .function any nb .none any n .number any mi float mf hex mh .operator any o .punctuation
any p .string any s2 escape se quoted' s1 quoted[[ s
`;
