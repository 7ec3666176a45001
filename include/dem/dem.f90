! SPDX-License-Identifier: MIT
!> @file dem.f90
!! libdem for Fortran: every function, struct and constant of dem.h but dem_select, over the C API
!! only.
!!
!! Compile this file with your own compiler, because modules are not portable between compilers. It
!! needs Fortran 2003 and c_sizeof of Fortran 2008. The C headers document what a function does, its
!! units, ranges and errors. This module documents how you call it:
!!
!! - an object (dem_world, dem_contact_history, dem_integrator, dem_mesh, ...) is a type(c_ptr);
!! - an unsigned integer of C is a signed one of the same size, with the same bits;
!! - numbers of rows, pairs, vertices, facets, materials, parts, values and cells count from 0, as
!!   in C: subtract 1 from an index of a Fortran array;
!! - give a variable whose address you pass the attribute TARGET. A dummy argument of your own that
!!   is a struct with addresses in it needs TARGET, too: otherwise compilers may assume that a call
!!   leaves what the addresses point to unchanged;
!! - an argument that may be NULL in C is a type(c_ptr) by value: c_loc(x) or c_null_ptr. These are
!!   always given, as variables: steps of dem_world_advance, written of dem_world_snapshot and
!!   dem_contact_history_snapshot, bytes of dem_contact_history_pack, count of
!!   dem_world_particles_analyse, uncertainty and error of dem_clump_measure;
!! - dem_..._init fills a configuration, as in C; call dem_output_init for a struct, or an array of
!!   structs, that the library fills;
!! - dem_view_row is the row of a view as an array, dem_view_index the index of a row;
!! - a function that may call you back, such as dem_step with a log, must not stand in a PRINT or
!!   WRITE whose unit the callback writes to: Fortran forbids that;
!! - dem_text converts C text, or the message of a dem_error, to Fortran text; dem_c_text converts
!!   Fortran text to C text, with the blanks at its end. Where a variable has the name of a file or
!!   a law, write dem_c_text(trim(name)), or the name ends with blanks;
!! - DEM_HEADER_VERSION is the version of the headers, dem_version() that of the library.
module dem
    use, intrinsic :: iso_c_binding
    implicit none
    public

    integer(c_int32_t), parameter :: DEM_VERSION_MAJOR = 0, DEM_VERSION_MINOR = 2, &
        DEM_VERSION_PATCH = 0
    integer(c_int32_t), parameter :: DEM_HEADER_VERSION = &
        DEM_VERSION_MAJOR * 1000000 + DEM_VERSION_MINOR * 1000 + DEM_VERSION_PATCH
    integer, parameter :: DEM_BATCH_SIZE = 64, DEM_STATE_MAX = 128, DEM_SNAPSHOT_VERSION = 2, &
        DEM_CONTACTS_VERSION = 1

    ! base.h
    integer(c_int32_t), parameter :: DEM_OK = 0, DEM_ERROR_ARGUMENT = 1, DEM_ERROR_RANGE = 2, &
        DEM_ERROR_STRUCT_SIZE = 3, DEM_ERROR_MEMORY = 4, DEM_ERROR_HANDLE = 5, &
        DEM_ERROR_UNKNOWN = 6, DEM_ERROR_DUPLICATE = 7, DEM_ERROR_STATE = 8, &
        DEM_ERROR_DIVERGED = 9, DEM_ERROR_OVERLAP = 10, DEM_ERROR_CALLBACK = 11, &
        DEM_ERROR_FILE = 12, DEM_ERROR_FORMAT = 13
    integer(c_int32_t), parameter :: DEM_LOG_DEBUG = 0, DEM_LOG_INFO = 1, &
        DEM_LOG_WARNING = 2, DEM_LOG_ERROR = 3
    integer(c_int32_t), parameter :: DEM_ISA_AUTO = 0, DEM_ISA_BASELINE = 1, DEM_ISA_AVX2 = 2, &
        DEM_ISA_AVX512 = 3, DEM_ISA_X86_64_V2 = 4
    ! collision.h
    real(c_double), parameter :: DEM_COLLISION_LAMBDA_CRITICAL = 0.56399406776008461_c_double
    real(c_double), parameter :: DEM_COLLISION_TIME_UNDAMPED = 3.2180654597190431_c_double
    real(c_double), parameter :: DEM_COLLISION_RESTITUTION_MIN = 1e-4_c_double
    ! law.h
    integer(c_int32_t), parameter :: DEM_PARAMETERS_ANY = 0, &
        DEM_PARAMETERS_HOST = 1024
    integer(c_int32_t), parameter :: DEM_NORMAL_CUT = 0, DEM_NORMAL_ATTRACTIVE = 1, &
        DEM_NORMAL_CUT_UNCORRECTED = 2, DEM_NORMAL_ATTRACTIVE_ABSOLUTE = 3
    integer(c_int32_t), parameter :: DEM_ARM_RADIUS = 0, DEM_ARM_CONTACT = 1
    integer(c_int32_t), parameter :: DEM_SLOT_SCALAR = 0, DEM_SLOT_TANGENT = 1, &
        DEM_SLOT_AXIAL = 2, DEM_SLOT_FORCE = 3, DEM_SLOT_FORCE_COMPONENT = 4, &
        DEM_SLOT_DIRECTION = 5
    integer(c_int32_t), parameter :: DEM_LAW_WHOLE = 0, DEM_LAW_NORMAL = 1, &
        DEM_LAW_TANGENTIAL = 2, DEM_LAW_ROLLING = 3, DEM_LAW_TWISTING = 4, &
        DEM_LAW_FURTHER = 5, DEM_TRAIT_SETS_FORCES = 1, DEM_TRAIT_LEAVES_TORQUES = 2, &
        DEM_TRAIT_NEEDS_VELOCITY = 1, DEM_TRAIT_NEEDS_RADIUS = 2, DEM_TRAIT_NEEDS_ROTATION = 4
    integer(c_int32_t), parameter :: DEM_NORMAL_FORM_OTHER = 0, DEM_NORMAL_FORM_LINEAR = 1, &
        DEM_NORMAL_FORM_HERTZ = 2, DEM_NORMAL_FORM_ADHESIVE = 3
    ! contact.h
    integer(c_int32_t), parameter :: DEM_KINEMATICS_SYNCHRONIZED = 0, DEM_KINEMATICS_IMPROVED = 1, &
        DEM_KINEMATICS_STANDARD = 2
    integer(c_int32_t), parameter :: DEM_ABSENT_SEPARATED = 0, DEM_ABSENT_KEEP = 1
    integer(c_int32_t), parameter :: DEM_SUMS_FIXED_ORDER = 0, DEM_SUMS_EXACT = 1, &
        DEM_SUMS_SIZE = 12
    ! distribution.h
    integer(c_int32_t), parameter :: DEM_PARTICLES_VERSION = 2, DEM_WALL_PART_SIZE = 48
    ! polyhedron.h
    integer(c_int32_t), parameter :: DEM_POLYHEDRON_AXES_PRINCIPAL = 0, &
        DEM_POLYHEDRON_AXES_MESH = 1, DEM_POLYHEDRON_APART = 0, DEM_POLYHEDRON_TOUCHING = 1, &
        DEM_POLYHEDRON_CONTAINED = 2, DEM_POLYHEDRON_LAW_VOLUME = 0, &
        DEM_POLYHEDRON_LAW_VOLUME_SQUARE = 1, DEM_POLYHEDRON_LAW_DEPTH = 2, &
        DEM_POLYHEDRON_LAW_MEAN_DEPTH = 3, DEM_POLYHEDRON_LAW_LAYER = 4

    ! mesh.h
    integer(c_int32_t), parameter :: DEM_MESH_DEGENERATE = 1, DEM_MESH_DUPLICATE = 2, &
        DEM_MESH_NON_MANIFOLD = 4, DEM_MESH_INVERTED = 8, DEM_MESH_OPEN = 16, &
        DEM_MESH_T_JOINT = 32, DEM_MESH_DEFECTS_ALL = 63, DEM_MESH_FACE = 0, DEM_MESH_EDGE = 1, &
        DEM_MESH_VERTEX = 2
    real(c_double), parameter :: DEM_MESH_COSINE = 0.96592582628906829_c_double
    ! generated from src/laws/laws.def: f90.constants
    integer(c_int32_t), parameter :: DEM_PARAMETERS_LINEAR = 1, DEM_PARAMETERS_HOOKE = 2, &
        DEM_PARAMETERS_FRICTION = 3, DEM_PARAMETERS_HERTZ = 4, DEM_PARAMETERS_MINDLIN = 5, &
        DEM_PARAMETERS_ACTM = 6, DEM_PARAMETERS_ADHESION = 7, DEM_PARAMETERS_LUDING = 8, &
        DEM_PARAMETERS_WALTON_BRAUN = 9, DEM_PARAMETERS_THORNTON = 10, &
        DEM_PARAMETERS_ROLLING = 11, DEM_PARAMETERS_ROLLING_CONSTANT = 12, &
        DEM_PARAMETERS_TWISTING_MARSHALL = 13, DEM_PARAMETERS_FILM = 14
    integer(c_int32_t), parameter :: DEM_DAMPING_RESTITUTION = 0, DEM_DAMPING_COEFFICIENT = 1, &
        DEM_DAMPING_RATE = 2, DEM_DAMPING_CRITICAL = 3
    integer(c_int32_t), parameter :: DEM_SLIDER_CSDS = 0, DEM_SLIDER_DSDS = 1, &
        DEM_SLIDER_TRUNCATED = 2, DEM_SLIDER_UNRESET = 3, DEM_SLIDER_VISCOUS = 4, &
        DEM_SLIDER_LI = 5
    integer(c_int32_t), parameter :: DEM_HERTZ_DAMPING_RESTITUTION = 0, &
        DEM_HERTZ_DAMPING_TSUJI = 1, DEM_HERTZ_DAMPING_COEFFICIENT = 2, &
        DEM_HERTZ_DAMPING_NONE = 3
    integer(c_int32_t), parameter :: DEM_MINDLIN_DAMPING_RESTITUTION = 0, &
        DEM_MINDLIN_DAMPING_FACTOR = 1
    integer(c_int32_t), parameter :: DEM_MINDLIN_RESCALED = 0, DEM_MINDLIN_SECANT = 1, &
        DEM_MINDLIN_INCREMENTAL = 2
    integer(c_int32_t), parameter :: DEM_FILM_TANGENTIAL = 1, DEM_FILM_LOGARITHM = 2
    ! end of generated
    ! integrator.h
    ! generated from src/integrate/schemes.def: parameters
    integer(c_int32_t), parameter :: DEM_INTEGRATOR_VERLET_SYNC = 0
    integer(c_int32_t), parameter :: DEM_INTEGRATOR_VERLET_IMPROVED = 1
    integer(c_int32_t), parameter :: DEM_INTEGRATOR_VERLET_STANDARD = 2
    integer(c_int32_t), parameter :: DEM_INTEGRATOR_LEAPFROG = 3
    integer(c_int32_t), parameter :: DEM_INTEGRATOR_SYMPLECTIC_EULER = 4
    integer(c_int32_t), parameter :: DEM_INTEGRATOR_EULER = 5
    integer(c_int32_t), parameter :: DEM_INTEGRATOR_MIDPOINT = 6
    integer(c_int32_t), parameter :: DEM_INTEGRATOR_HEUN = 7
    integer(c_int32_t), parameter :: DEM_INTEGRATOR_RK4 = 8
    ! end of generated
    ! world.h
    integer(c_int32_t), parameter :: DEM_BOUNDARY_OPEN = 0, DEM_BOUNDARY_PERIODIC = 1
    integer(c_int32_t), parameter :: DEM_DEPOSITION_NEAREST = 0, DEM_DEPOSITION_LINEAR = 1, &
        DEM_DEPOSITION_QUADRATIC = 2, DEM_DEPOSITION_GAUSSIAN = 3, DEM_DEPOSITION_CELLS_MOST = 27
    integer(c_int32_t), parameter :: DEM_DEPOSITION_WALL = 0, DEM_DEPOSITION_PERIODIC = 1
    integer(c_int32_t), parameter :: DEM_ENERGY_TRACKING_FULL = 0, DEM_ENERGY_TRACKING_OFF = 1
    ! generated from src/shapes/shapes.def: fortran
    integer(c_int32_t), parameter :: DEM_SHAPE_PLANE = 0
    integer(c_int32_t), parameter :: DEM_SHAPE_DISC = 1
    integer(c_int32_t), parameter :: DEM_SHAPE_RECTANGLE = 2
    integer(c_int32_t), parameter :: DEM_SHAPE_BALL = 3
    integer(c_int32_t), parameter :: DEM_SHAPE_CYLINDER = 4
    integer(c_int32_t), parameter :: DEM_SHAPE_CONE = 5
    integer(c_int32_t), parameter :: DEM_SHAPE_BOX = 6
    integer(c_int32_t), parameter :: DEM_SHAPE_MESH = 7
    ! end of generated
    integer(c_int32_t), parameter :: DEM_SIDE_OUTSIDE = 0, DEM_SIDE_INSIDE = 1, DEM_SIDE_BOTH = 2
    integer(c_int32_t), parameter :: DEM_OPEN_LOW = 1, DEM_OPEN_HIGH = 2
    integer(c_int32_t), parameter :: DEM_SERVO_FORCE = 1, DEM_SERVO_TORQUE = 2, &
        DEM_SERVO_PRESSURE = 3
    integer(c_int32_t), parameter :: DEM_FACET_FORCE = 0, DEM_FACET_WORK_NORMAL = 1
    integer(c_int32_t), parameter :: DEM_FACET_WORK_SHEAR = 2, DEM_FACET_VERTEX_FORCE = 3
    integer(c_int32_t), parameter :: DEM_MOBILITY_FREE = 0, DEM_MOBILITY_FIXED = 1, &
        DEM_MOBILITY_KINEMATIC = 2
    integer(c_int32_t), parameter :: DEM_DAMPING_MASS_CONTACT = 0, DEM_DAMPING_MASS_BODY = 1
    integer(c_int32_t), parameter :: DEM_FIELD_POSITION = 0, DEM_FIELD_VELOCITY = 1, &
        DEM_FIELD_ANGULAR_VELOCITY = 2, DEM_FIELD_FORCE = 3, DEM_FIELD_TORQUE = 4, &
        DEM_FIELD_EXTERNAL_FORCE = 5, DEM_FIELD_EXTERNAL_TORQUE = 6, DEM_FIELD_RADIUS = 7, &
        DEM_FIELD_DRAG_COEFFICIENT = 8, DEM_FIELD_FLUID_VELOCITY = 9, &
        DEM_FIELD_ROTATIONAL_DRAG = 10, DEM_FIELD_FLUID_ANGULAR_VELOCITY = 11, &
        DEM_FIELD_DRAG_IMPULSE = 12, DEM_FIELD_DRAG_ANGULAR_IMPULSE = 13, &
        DEM_FIELD_CONTACT_IMPULSE = 14, DEM_FIELD_CONTACT_ANGULAR_IMPULSE = 15, &
        DEM_FIELD_HOST = 16, DEM_FIELD_ADDED_MASS = 17

    ! base.h
    type, bind(c) :: dem_error
        integer(c_int32_t) :: status
        character(kind=c_char) :: message(252)
    end type
    type, bind(c) :: dem_allocator
        type(c_ptr) :: user
        type(c_funptr) :: allocate, release
    end type
    type, bind(c) :: dem_log
        type(c_ptr) :: user
        type(c_funptr) :: message
    end type
    type, bind(c) :: dem_executor
        type(c_ptr) :: user
        type(c_funptr) :: run
    end type
    ! contact.h
    type, bind(c) :: dem_contact_key
        integer(c_int64_t) :: id_i, id_j, feature
        integer(c_int32_t) :: image(3), reserved
    end type
    ! generated from src/laws/laws.def: f90.types
    type, bind(c) :: dem_linear
        integer(c_int64_t) :: struct_size, kind
        real(c_double) :: stiffness_normal, stiffness_tangential, friction, restitution, &
            damping_normal, damping_tangential
        integer(c_int32_t) :: damping, normal
    end type
    type, bind(c) :: dem_hooke
        integer(c_int64_t) :: struct_size, kind
        real(c_double) :: stiffness_normal, restitution, damping_normal
        integer(c_int32_t) :: damping, normal
    end type
    type, bind(c) :: dem_friction
        integer(c_int64_t) :: struct_size, kind
        real(c_double) :: stiffness_tangential, friction, damping_tangential
        integer(c_int32_t) :: damping, slider
    end type
    type, bind(c) :: dem_hertz
        integer(c_int64_t) :: struct_size, kind
        real(c_double) :: young(2), poisson(2), restitution, damping_normal
        integer(c_int32_t) :: damping, normal
    end type
    type, bind(c) :: dem_mindlin
        integer(c_int64_t) :: struct_size, kind
        real(c_double) :: friction, stiffness_factor, restitution, damping_factor
        integer(c_int32_t) :: damping, form, slider, reserved
    end type
    type, bind(c) :: dem_actm
        integer(c_int64_t) :: struct_size, kind
        real(c_double) :: restitution, contact_time, contact_steps, speed_floor, young(2), &
            poisson(2), load_acceleration, overlap_cap
    end type
    type, bind(c) :: dem_adhesion
        integer(c_int64_t) :: struct_size, kind
        real(c_double) :: young(2), poisson(2), work_of_adhesion, restitution
    end type
    type, bind(c) :: dem_luding
        integer(c_int64_t) :: struct_size, kind
        real(c_double) :: stiffness_loading, stiffness_unloading, stiffness_cohesion, &
            plasticity_depth, damping_normal
    end type
    type, bind(c) :: dem_walton_braun
        integer(c_int64_t) :: struct_size, kind
        real(c_double) :: stiffness_loading, stiffness_unloading, restitution, hardening, &
            damping_normal
    end type
    type, bind(c) :: dem_thornton
        integer(c_int64_t) :: struct_size, kind
        real(c_double) :: young(2), poisson(2), yield_pressure, restitution
    end type
    type, bind(c) :: dem_rolling
        integer(c_int64_t) :: struct_size, kind
        real(c_double) :: stiffness, friction, damping, damping_ratio
    end type
    type, bind(c) :: dem_rolling_constant
        integer(c_int64_t) :: struct_size, kind
        real(c_double) :: friction
    end type
    type, bind(c) :: dem_twisting_marshall
        integer(c_int64_t) :: struct_size, kind
        real(c_double) :: stiffness_tangential, friction, damping_tangential
    end type
    type, bind(c) :: dem_film
        integer(c_int64_t) :: struct_size, kind
        real(c_double) :: viscosity, gap_min, gap_max
        integer(c_int64_t) :: terms
    end type
    ! end of generated
    ! law.h
    type, bind(c) :: dem_contact_part
        type(c_ptr) :: law, parameters
    end type
    type, bind(c) :: dem_contact_model
        integer(c_int64_t) :: struct_size
        type(dem_contact_part) :: parts(4)
        integer(c_int32_t) :: lever_arm, reserved
    end type
    type, bind(c) :: dem_contact_batch
        integer(c_int64_t) :: struct_size
        real(c_double) :: dt
        type(c_ptr) :: overlap, overlap_rate, normal, increment, velocity_normal, velocity, &
            angular_velocity_i, angular_velocity_j, radius_i, radius_j, radius, mass, &
            was_touching, touching, state, &
            force_normal, force_tangential, torque_i, torque_j, elastic_energy, &
            dissipated_normal, dissipated_dashpot, dissipated_slip, dissipated_rolling, &
            force_elastic, force_coulomb, contact_radius, stiffness, damping, state_rate
        integer(c_int32_t) :: energy_tracking, alone
        type(c_ptr) :: rotation_increment, rotation_velocity
    end type
    type, bind(c) :: dem_pair_properties
        integer(c_int64_t) :: struct_size
        integer(c_int32_t) :: normal_form, reserved
        real(c_double) :: effective_young, effective_shear, stiffness_normal, restitution
    end type
    type, bind(c) :: dem_law_limits
        integer(c_int64_t) :: struct_size
        real(c_double) :: contact_time, timestep_limit, stiffness, damping, dashpot_weight
    end type
    type, bind(c) :: dem_law_slot
        type(c_ptr) :: name
        integer(c_int32_t) :: kind, swap_sign
    end type
    type, bind(c) :: dem_law
        integer(c_int64_t) :: struct_size
        type(c_ptr) :: name
        integer(c_int32_t) :: version, kind
        type(c_ptr) :: slots
        integer(c_int64_t) :: slot_count, parameters_size, combined_size
        type(c_ptr) :: user
        type(c_funptr) :: combine, reach, evaluate, rate, limits
        type(c_ptr) :: value_names
        integer(c_int64_t) :: value_count
        integer(c_int32_t) :: traits, reserved
        type(c_funptr) :: traits_needed
        integer(c_int64_t) :: parameters_kind
    end type
    ! contact.h
    type, bind(c) :: dem_contact_history_config
        integer(c_int64_t) :: struct_size
        integer(c_int32_t) :: material_count, reserved
        real(c_double) :: overlap_limit
        type(dem_allocator) :: allocator
        type(dem_log) :: log
        integer(c_int32_t) :: isa, reserved_end, sums, reserved_sums
        real(c_double) :: force_range, torque_range
        type(dem_executor) :: executor
    end type
    type, bind(c) :: dem_mesh_config
        integer(c_int64_t) :: struct_size
        integer(c_int32_t) :: refused, reserved
        real(c_double) :: weld_distance, scale
        type(dem_allocator) :: allocator
        type(dem_log) :: log
    end type
    type, bind(c) :: dem_polyhedron_config
        integer(c_int64_t) :: struct_size
        integer(c_int32_t) :: axes, reserved
        type(dem_allocator) :: allocator
        type(dem_log) :: log
    end type
    type, bind(c) :: dem_polyhedron_properties
        integer(c_int64_t) :: struct_size, bytes
        real(c_double) :: volume, inertia(3), centre(3), orientation(4), radius, equivalent_radius
    end type
    type, bind(c) :: dem_polyhedron_search_config
        integer(c_int64_t) :: struct_size
        type(dem_allocator) :: allocator
        type(dem_log) :: log
    end type
    type, bind(c) :: dem_polyhedron_motion
        integer(c_int64_t) :: struct_size
        type(c_ptr) :: shape
        integer(c_int64_t) :: id
        real(c_double) :: position(3), orientation(4), velocity(3), angular_velocity(3)
    end type
    type, bind(c) :: dem_polyhedron_hint
        real(c_double) :: direction(3)
    end type
    type, bind(c) :: dem_polyhedron_contact
        integer(c_int64_t) :: struct_size
        integer(c_int32_t) :: state, repeats
        real(c_double) :: volume, area, normal(3), point(3), arm_first(3), arm_second(3), &
            volume_rate
    end type
    type, bind(c) :: dem_polyhedron_law
        integer(c_int64_t) :: struct_size
        integer(c_int32_t) :: law, reserved
        real(c_double) :: modulus, radius, damping_ratio
    end type
    type, bind(c) :: dem_polyhedron_load
        integer(c_int64_t) :: struct_size
        real(c_double) :: normal_force, elastic_force, energy, damping, force(3), &
            moment_first(3), moment_second(3), overlap, radius
    end type
    type, bind(c) :: dem_mesh_search_config
        integer(c_int64_t) :: struct_size
        real(c_double) :: cosine
        type(dem_allocator) :: allocator
        type(dem_log) :: log
    end type
    type, bind(c) :: dem_mesh_spheres
        integer(c_int64_t) :: struct_size, count
        type(c_ptr) :: rows, position
        integer(c_int64_t) :: position_stride
        type(c_ptr) :: radius
        real(c_double) :: reach, mesh_position(3), mesh_orientation(4)
        integer(c_int32_t) :: mesh_row, reserved
    end type
    type, bind(c) :: dem_mesh_contacts
        integer(c_int64_t) :: struct_size, count
        type(c_ptr) :: pairs, overlap, normal, point, radius, weights, facet, region
    end type
    type, bind(c) :: dem_wall_search_config
        integer(c_int64_t) :: struct_size
        type(dem_allocator) :: allocator
        type(dem_log) :: log
    end type
    type, bind(c) :: dem_wall_spheres
        integer(c_int64_t) :: struct_size, count
        type(c_ptr) :: rows, position
        integer(c_int64_t) :: position_stride
        type(c_ptr) :: radius
        real(c_double) :: reach, displacement(3), rotation(4)
        integer(c_int32_t) :: wall_row, reserved
    end type
    type, bind(c) :: dem_wall_contacts
        integer(c_int64_t) :: struct_size, count
        type(c_ptr) :: pairs, overlap, normal, point, radius, facet
    end type
    type, bind(c) :: dem_mesh_properties
        integer(c_int64_t) :: struct_size, vertex_count, facet_count, edge_count, bytes
        integer(c_int32_t) :: defects, reserved
        real(c_double) :: box_low(3), box_high(3), area, volume
    end type
    type, bind(c) :: dem_mesh_solid
        integer(c_int64_t) :: struct_size
        real(c_double) :: volume, centre(3), inertia(6), principal(3), orientation(4)
    end type
    type, bind(c) :: dem_pair_value
        integer(c_int64_t) :: struct_size
        type(c_ptr) :: law, name
        real(c_double) :: value
        integer(c_int32_t) :: part, reserved
    end type
    type, bind(c) :: dem_contact_totals
        integer(c_int64_t) :: struct_size, contacts
        real(c_double) :: elastic_energy, dissipated_normal, dissipated_dashpot, dissipated_slip, &
            dissipated_rolling
    end type
    type, bind(c) :: dem_contacts_stage
        integer(c_int64_t) :: struct_size, count
        type(c_ptr) :: state, rate, jump
    end type
    type, bind(c) :: dem_contacts_geometry
        integer(c_int64_t) :: struct_size
        type(c_ptr) :: overlap, normal, point, radius
    end type
    type, bind(c) :: dem_contacts_input
        integer(c_int64_t) :: struct_size, particle_count
        type(c_ptr) :: id, position, velocity, angular_velocity, acceleration, &
            angular_acceleration, radius, mass, material
        integer(c_int64_t) :: position_stride, velocity_stride, angular_velocity_stride, &
            acceleration_stride, angular_acceleration_stride, pair_count
        type(c_ptr) :: pairs, features, shifts, images
        real(c_double) :: dt, velocity_lag
        integer(c_int32_t) :: kinematics, absent, forces_only, reserved
        type(c_ptr) :: force, torque
        integer(c_int64_t) :: force_stride, torque_stride, acceleration_count, &
            angular_acceleration_count, ghost_count
        type(c_ptr) :: sums
    end type
    type, bind(c) :: dem_contact
        integer(c_int64_t) :: struct_size
        type(dem_contact_key) :: key
        real(c_double) :: overlap, normal(3), force_normal(3), force_tangential(3)
        type(c_ptr) :: state
        integer(c_int64_t) :: state_count
        integer(c_int32_t) :: material_i, material_j
    end type
    ! integrator.h
    type, bind(c) :: dem_integrator_config
        integer(c_int64_t) :: struct_size
        integer(c_int32_t) :: scheme, reserved
        type(dem_allocator) :: allocator
        real(c_double) :: velocity_lag
    end type
    type, bind(c) :: dem_integrator_arrays
        integer(c_int64_t) :: struct_size, count
        type(c_ptr) :: position, velocity, angular_velocity, force, torque, mass, inertia
        integer(c_int64_t) :: position_stride, velocity_stride, angular_velocity_stride, &
            force_stride, torque_stride
        type(c_ptr) :: orientation
        integer(c_int64_t) :: orientation_stride, state_count
        type(c_ptr) :: state, state_rate, state_jump
    end type
    ! world.h
    type, bind(c) :: dem_particle_handle
        integer(c_int32_t) :: index, generation
    end type
    type, bind(c) :: dem_world_config
        integer(c_int64_t) :: struct_size
        real(c_double) :: gravity(3), box_low(3), box_high(3)
        integer(c_int32_t) :: boundary(3), integrator, material_count, reserved
        real(c_double) :: skin, overlap_limit
        type(dem_allocator) :: allocator
        type(dem_log) :: log
        type(dem_executor) :: executor
        integer(c_int32_t) :: threads, isa, energy_tracking, reserved_end
        integer(c_int64_t) :: host_doubles
        type(c_ptr) :: before_forces_user
        type(c_funptr) :: before_forces
        type(c_ptr) :: contact_user
        type(c_funptr) :: contact_begin, contact_end
        integer(c_int32_t) :: sums, reserved_sums
        real(c_double) :: force_range, torque_range
        integer(c_int32_t) :: polyhedron_law, reserved_polyhedron
        real(c_double) :: polyhedron_overlap
        integer(c_int64_t) :: chunk_rows
    end type
    type, bind(c) :: dem_material
        integer(c_int64_t) :: struct_size
        real(c_double) :: density
    end type
    type, bind(c) :: dem_particle
        integer(c_int64_t) :: struct_size, id
        real(c_double) :: position(3), velocity(3), angular_velocity(3), radius, mass, &
            contact_mass
        integer(c_int32_t) :: material, mobility
    end type
    type, bind(c) :: dem_wall
        integer(c_int64_t) :: struct_size, id
        real(c_double) :: point(3), normal(3), velocity(3)
        integer(c_int32_t) :: material, shape
        real(c_double) :: force(3), size(3), axis(3)
        integer(c_int32_t) :: side, open
        real(c_double) :: impulse(3)
        real(c_double) :: angular_velocity(3), pivot(3), torque(3), angular_impulse(3), work
        type(c_ptr) :: mesh
        real(c_double) :: mesh_cosine
    end type
    type, bind(c) :: dem_wall_servo
        integer(c_int64_t) :: struct_size
        real(c_double) :: direction(3), target, gain, speed
        integer(c_int32_t) :: quantity, reserved
        real(c_double) :: area
    end type
    type, bind(c) :: dem_timestep_request
        integer(c_int64_t) :: struct_size
        real(c_double) :: steps_per_contact, rayleigh_fraction, displacement_fraction, speed, &
            face_overlap
    end type
    type, bind(c) :: dem_timestep_advice
        integer(c_int64_t) :: struct_size
        real(c_double) :: timestep, contact, stability, rayleigh, displacement, speed
        integer(c_int64_t) :: contact_id(2), stability_id(2), rayleigh_id, displacement_id
        real(c_double) :: film
        integer(c_int64_t) :: film_id(2)
        real(c_double) :: face
        integer(c_int64_t) :: face_id
    end type
    type, bind(c) :: dem_world_energies
        integer(c_int64_t) :: struct_size
        real(c_double) :: kinetic_translation, kinetic_rotation, potential, elastic, &
            dissipated_normal, dissipated_dashpot, dissipated_slip, work_external, work_boundary, &
            dissipated_rolling, work_fluid, dissipated_drag
    end type
    type, bind(c) :: dem_ghost
        integer(c_int64_t) :: struct_size, id
        real(c_double) :: position(3)
        integer(c_int32_t) :: image(3), material, mobility, reserved
        real(c_double) :: velocity(3), angular_velocity(3), radius, mass, contact_mass, force(3), &
            torque(3), external_force(3), external_torque(3), drag_coefficient, fluid_velocity(3), &
            rotational_drag, fluid_angular_velocity(3), added_mass, lag
    end type
    type, bind(c) :: dem_world_counts
        integer(c_int64_t) :: struct_size, particles, walls, contacts, candidates, chunks, steps, &
            rebuilds, bytes, ghosts
    end type
    type, bind(c) :: dem_contact_arrays
        integer(c_int64_t) :: struct_size, capacity
        type(c_ptr) :: key, material, overlap, point, normal, force_normal, force_tangential, state
        integer(c_int64_t) :: state_stride
        type(c_ptr) :: facet, weights
    end type
    ! body.h
    type, bind(c) :: dem_body_handle
        integer(c_int32_t) :: index, generation
    end type
    type, bind(c) :: dem_body
        integer(c_int64_t) :: struct_size, id
        real(c_double) :: position(3), orientation(4), velocity(3), angular_velocity(3), mass, &
            inertia(3)
        integer(c_int32_t) :: mobility, damping_mass
    end type
    type, bind(c) :: dem_body_part
        integer(c_int64_t) :: struct_size
        real(c_double) :: centre(3), radius
        integer(c_int32_t) :: material, reserved
        type(c_ptr) :: shape
        integer(c_int64_t) :: id
    end type
    type, bind(c) :: dem_body_arrays
        integer(c_int64_t) :: struct_size, capacity
        type(c_ptr) :: handle, id, position, orientation, velocity, angular_velocity, force, torque
    end type
    type, bind(c) :: dem_deposition_grid
        integer(c_int64_t) :: struct_size
        real(c_double) :: low(3), size(3)
        integer(c_int32_t) :: cells(3), boundary(3), kernel, reserved
        real(c_double) :: deviation
    end type
    type, bind(c) :: dem_deposition_weights
        integer(c_int64_t) :: count, cell(27)
        real(c_double) :: weight(27)
    end type
    type, bind(c) :: dem_analysis_grid
        integer(c_int64_t) :: struct_size
        real(c_double) :: low(3), high(3)
        integer(c_int32_t) :: boxes(3), reserved
        real(c_double) :: timestep
    end type
    type, bind(c) :: dem_analysis_box
        integer(c_int64_t) :: struct_size, particles, contact_ends
        real(c_double) :: volume, solid_volume, mass, velocity(3), fluctuation(9), &
            granular_temperature, coordination, fabric(9), moment(9), stress(9), elastic, &
            power_contact, power_external, power_gravity, dissipation_normal, &
            dissipation_dashpot, dissipation_slip, dissipation_rolling, power_drag, &
            dissipation_drag
    end type
    type, bind(c) :: dem_analysis_particles
        integer(c_int64_t) :: struct_size, capacity
        type(c_ptr) :: id, contacts, fabric, moment
    end type
    type, bind(c) :: dem_view
        integer(c_int64_t) :: struct_size
        type(c_ptr) :: data
        integer(c_int64_t) :: stride, count
        type(c_ptr) :: id
        integer(c_int64_t) :: generation
        type(c_ptr) :: index
        integer(c_int64_t) :: index_stride, index_count
    end type

    !> Interfaces of callbacks; pass a callback as c_funloc(procedure). dem_law_evaluate is also
    !> that of dem_law%rate.
    abstract interface
        type(c_ptr) function dem_allocator_allocate(user, size, alignment) bind(c)
            import
            type(c_ptr), value :: user
            integer(c_int64_t), value :: size, alignment
        end function
        subroutine dem_allocator_release(user, pointer, size) bind(c)
            import
            type(c_ptr), value :: user, pointer
            integer(c_int64_t), value :: size
        end subroutine
        subroutine dem_log_message(user, level, text) bind(c)
            import
            type(c_ptr), value :: user, text
            integer(c_int32_t), value :: level
        end subroutine
        subroutine dem_executor_run(user, task, argument, count) bind(c)
            import
            type(c_ptr), value :: user, argument
            type(c_funptr), value :: task
            integer(c_int64_t), value :: count
        end subroutine
        subroutine dem_executor_task(argument, k) bind(c)
            import
            type(c_ptr), value :: argument
            integer(c_int64_t), value :: k
        end subroutine
        integer(c_int32_t) function dem_snapshot_sink(user, bytes, size) bind(c)
            import
            type(c_ptr), value :: user, bytes
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_snapshot_source(user, bytes, size) bind(c)
            import
            type(c_ptr), value :: user, bytes
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_before_forces(user, world, dt) bind(c)
            import
            type(c_ptr), value :: user, world
            real(c_double), value :: dt
        end function
        subroutine dem_contact_told(user, key) bind(c)
            import
            type(c_ptr), value :: user
            type(dem_contact_key), intent(in) :: key
        end subroutine
        integer(c_int32_t) function dem_law_combine(user, parameters, pair, combined, error) bind(c)
            import
            type(c_ptr), value :: user, parameters, combined
            type(dem_pair_properties), intent(inout) :: pair
            type(dem_error), intent(inout) :: error
        end function
        real(c_double) function dem_law_reach(user, combined, radius_i, radius_j) bind(c)
            import
            type(c_ptr), value :: user, combined
            real(c_double), value :: radius_i, radius_j
        end function
        integer(c_int32_t) function dem_law_evaluate(user, n, batch, combined) bind(c)
            import
            type(c_ptr), value :: user, combined
            integer(c_int64_t), value :: n
            type(dem_contact_batch), intent(inout), target :: batch
        end function
        subroutine dem_law_limits_told(user, combined, mass, radius_i, radius_j, speed, limits) &
                bind(c)
            import
            type(c_ptr), value :: user, combined
            real(c_double), value :: mass, radius_i, radius_j, speed
            type(dem_law_limits), intent(inout) :: limits
        end subroutine
        integer(c_int32_t) function dem_law_traits_needed(user, combined) bind(c)
            import
            type(c_ptr), value :: user, combined
        end function
    end interface

    interface
        ! base.h
        type(c_ptr) function dem_status_string(status) bind(c)
            import
            integer(c_int32_t), value :: status
        end function
        integer(c_int32_t) function dem_version() bind(c)
            import
        end function
        ! collision.h
        integer(c_int32_t) function dem_collision_forward(lambda, restitution, contact_time) bind(c)
            import
            real(c_double), value :: lambda
            real(c_double), intent(inout) :: restitution, contact_time
        end function
        integer(c_int32_t) function dem_collision_inverse(restitution, lambda, contact_time) bind(c)
            import
            real(c_double), value :: restitution
            real(c_double), intent(inout) :: lambda, contact_time
        end function
        integer(c_int32_t) function dem_collision_params( &
            mass, impact_speed, restitution, contact_time, stiffness, damping) bind(c)
            import
            real(c_double), value :: mass, impact_speed, restitution, contact_time
            real(c_double), intent(inout) :: stiffness, damping
        end function
        integer(c_int32_t) function dem_collision_inverse_array( &
            n, restitution, restitution_stride, lambda, lambda_stride, contact_time, &
            contact_time_stride, bad) bind(c)
            import
            integer(c_int64_t), value :: n, restitution_stride, lambda_stride, contact_time_stride
            real(c_double), intent(in) :: restitution(*)
            real(c_double), intent(inout) :: lambda(*), contact_time(*)
            type(c_ptr), value :: bad
        end function
        integer(c_int32_t) function dem_collision_params_array( &
            n, mass, mass_stride, impact_speed, impact_speed_stride, restitution, &
            restitution_stride, contact_time, contact_time_stride, stiffness, stiffness_stride, &
            damping, damping_stride, bad) bind(c)
            import
            integer(c_int64_t), value :: n, mass_stride, impact_speed_stride, &
                restitution_stride, contact_time_stride, stiffness_stride, damping_stride
            real(c_double), intent(in) :: mass(*), impact_speed(*), restitution(*), &
                contact_time(*)
            real(c_double), intent(inout) :: stiffness(*), damping(*)
            type(c_ptr), value :: bad
        end function
        integer(c_int32_t) function dem_collision_series( &
            lambda, restitution, contact_time, overlap_root) bind(c)
            import
            real(c_double), value :: lambda
            real(c_double), intent(inout) :: restitution, contact_time, overlap_root
        end function
        integer(c_int32_t) function dem_collision_paper_forward( &
            lambda, restitution, contact_time) bind(c)
            import
            real(c_double), value :: lambda
            real(c_double), intent(inout) :: restitution, contact_time
        end function
        integer(c_int32_t) function dem_collision_paper_inverse( &
            restitution, lambda, contact_time) bind(c)
            import
            real(c_double), value :: restitution
            real(c_double), intent(inout) :: lambda, contact_time
        end function
        integer(c_int32_t) function dem_collision_paper_params( &
            mass, impact_speed, restitution, contact_time, stiffness, damping) bind(c)
            import
            real(c_double), value :: mass, impact_speed, restitution, contact_time
            real(c_double), intent(inout) :: stiffness, damping
        end function
        integer(c_int32_t) function dem_collision_time_hooke(mass, stiffness, time) bind(c)
            import
            real(c_double), value :: mass, stiffness
            real(c_double), intent(inout) :: time
        end function
        integer(c_int32_t) function dem_collision_time_hooke_damped( &
            mass, stiffness, damping, time) bind(c)
            import
            real(c_double), value :: mass, stiffness, damping
            real(c_double), intent(inout) :: time
        end function
        integer(c_int32_t) function dem_collision_time_hertz( &
            mass, radius, young, impact_speed, time) bind(c)
            import
            real(c_double), value :: mass, radius, young, impact_speed
            real(c_double), intent(inout) :: time
        end function
        integer(c_int32_t) function dem_collision_overlap_hertz( &
            mass, radius, young, impact_speed, overlap) bind(c)
            import
            real(c_double), value :: mass, radius, young, impact_speed
            real(c_double), intent(inout) :: overlap
        end function
        integer(c_int32_t) function dem_collision_young_from_overlap( &
            mass, radius, overlap, impact_speed, young) bind(c)
            import
            real(c_double), value :: mass, radius, overlap, impact_speed
            real(c_double), intent(inout) :: young
        end function
        integer(c_int32_t) function dem_collision_stiffness_from_time( &
            mass, radius, young, impact_speed, stiffness) bind(c)
            import
            real(c_double), value :: mass, radius, young, impact_speed
            real(c_double), intent(inout) :: stiffness
        end function
        integer(c_int32_t) function dem_collision_stiffness_from_overlap( &
            mass, overlap, impact_speed, stiffness) bind(c)
            import
            real(c_double), value :: mass, overlap, impact_speed
            real(c_double), intent(inout) :: stiffness
        end function
        integer(c_int32_t) function dem_collision_stiffness_ratio( &
            poisson_i, shear_i, poisson_j, shear_j, ratio) bind(c)
            import
            real(c_double), value :: poisson_i, shear_i, poisson_j, shear_j
            real(c_double), intent(inout) :: ratio
        end function
        integer(c_int32_t) function dem_collision_damping_hooke( &
            mass, stiffness, restitution, form, damping) bind(c)
            import
            real(c_double), value :: mass, stiffness, restitution
            integer(c_int32_t), value :: form
            real(c_double), intent(inout) :: damping
        end function
        integer(c_int32_t) function dem_collision_damping_hertz( &
            mass, radius, young, restitution, form, coefficient) bind(c)
            import
            real(c_double), value :: mass, radius, young, restitution
            integer(c_int32_t), value :: form
            real(c_double), intent(inout) :: coefficient
        end function
        integer(c_int32_t) function dem_collision_softening_step(factor, step_factor) bind(c)
            import
            real(c_double), value :: factor
            real(c_double), intent(inout) :: step_factor
        end function
        integer(c_int32_t) function dem_collision_softening_factor(step_factor, factor) bind(c)
            import
            real(c_double), value :: step_factor
            real(c_double), intent(inout) :: factor
        end function
        integer(c_int32_t) function dem_collision_step_rayleigh( &
            radius, density, shear, poisson, time) bind(c)
            import
            real(c_double), value :: radius, density, shear, poisson
            real(c_double), intent(inout) :: time
        end function
        integer(c_int32_t) function dem_collision_size_ratio_critical(friction, ratio) bind(c)
            import
            real(c_double), value :: friction
            real(c_double), intent(inout) :: ratio
        end function
        ! law.h
        ! generated from src/laws/laws.def: f90.interfaces
        integer(c_int32_t) function dem_linear_init_sized(parameters, size) bind(c)
            import
            type(dem_linear), intent(inout) :: parameters
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_hooke_init_sized(parameters, size) bind(c)
            import
            type(dem_hooke), intent(inout) :: parameters
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_friction_init_sized(parameters, size) bind(c)
            import
            type(dem_friction), intent(inout) :: parameters
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_hertz_init_sized(parameters, size) bind(c)
            import
            type(dem_hertz), intent(inout) :: parameters
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_mindlin_init_sized(parameters, size) bind(c)
            import
            type(dem_mindlin), intent(inout) :: parameters
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_actm_init_sized(parameters, size) bind(c)
            import
            type(dem_actm), intent(inout) :: parameters
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_adhesion_init_sized(parameters, size) bind(c)
            import
            type(dem_adhesion), intent(inout) :: parameters
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_luding_init_sized(parameters, size) bind(c)
            import
            type(dem_luding), intent(inout) :: parameters
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_walton_braun_init_sized(parameters, size) bind(c)
            import
            type(dem_walton_braun), intent(inout) :: parameters
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_thornton_init_sized(parameters, size) bind(c)
            import
            type(dem_thornton), intent(inout) :: parameters
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_rolling_init_sized(parameters, size) bind(c)
            import
            type(dem_rolling), intent(inout) :: parameters
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_rolling_constant_init_sized(parameters, size) bind(c)
            import
            type(dem_rolling_constant), intent(inout) :: parameters
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_twisting_marshall_init_sized(parameters, size) bind(c)
            import
            type(dem_twisting_marshall), intent(inout) :: parameters
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_film_init_sized(parameters, size) bind(c)
            import
            type(dem_film), intent(inout) :: parameters
            integer(c_int64_t), value :: size
        end function
        ! end of generated
        integer(c_int32_t) function dem_contact_model_init_sized(model, size) bind(c)
            import
            type(dem_contact_model), intent(inout), target :: model
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_law_init_sized(law, size) bind(c)
            import
            type(dem_law), intent(inout), target :: law
            integer(c_int64_t), value :: size
        end function
        ! contact.h
        integer(c_int32_t) function dem_contact_history_config_init_sized(config, size) bind(c)
            import
            type(dem_contact_history_config), intent(inout), target :: config
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_contact_history_create(config, history, error) bind(c)
            import
            type(dem_contact_history_config), intent(in), target :: config
            type(c_ptr), intent(out) :: history
            type(c_ptr), value :: error
        end function
        subroutine dem_contact_history_destroy(history) bind(c)
            import
            type(c_ptr), value :: history
        end subroutine
        type(c_ptr) function dem_contact_history_error(history) bind(c)
            import
            type(c_ptr), value :: history
        end function
        integer(c_int32_t) function dem_contact_history_law_register(history, law) bind(c)
            import
            type(c_ptr), value :: history
            type(dem_law), intent(in), target :: law
        end function
        integer(c_int32_t) function dem_contact_history_model_set( &
            history, material_a, material_b, model) bind(c)
            import
            type(c_ptr), value :: history
            integer(c_int32_t), value :: material_a, material_b
            type(dem_contact_model), intent(in), target :: model
        end function
        integer(c_int32_t) function dem_contacts_input_init_sized(input, size) bind(c)
            import
            type(dem_contacts_input), intent(inout), target :: input
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_contacts_evaluate(history, input, totals) bind(c)
            import
            type(c_ptr), value :: history, totals
            type(dem_contacts_input), intent(in), target :: input
        end function
        integer(c_int32_t) function dem_contact_history_sums_values(history, count, sums, force, &
                torque) bind(c)
            import
            type(c_ptr), value :: history, sums, force, torque
            integer(c_int64_t), value :: count
        end function
        integer(c_int32_t) function dem_contacts_list_begin(history, input) bind(c)
            import
            type(c_ptr), value :: history
            type(dem_contacts_input), intent(in), target :: input
        end function
        integer(c_int32_t) function dem_contacts_list_evaluate(history, input, totals) bind(c)
            import
            type(c_ptr), value :: history, totals
            type(dem_contacts_input), intent(in), target :: input
        end function
        integer(c_int32_t) function dem_contacts_geometry_init_sized(geometry, size) bind(c)
            import
            type(dem_contacts_geometry), intent(inout), target :: geometry
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_contacts_evaluate_geometry(history, input, geometry, &
                totals) bind(c)
            import
            type(c_ptr), value :: history, totals
            type(dem_contacts_input), intent(in), target :: input
            type(dem_contacts_geometry), intent(in), target :: geometry
        end function
        integer(c_int32_t) function dem_contacts_list_evaluate_geometry(history, input, geometry, &
                totals) bind(c)
            import
            type(c_ptr), value :: history, totals
            type(dem_contacts_input), intent(in), target :: input
            type(dem_contacts_geometry), intent(in), target :: geometry
        end function
        integer(c_int32_t) function dem_contact_history_slots(history, input, geometry, cosine, &
            features) bind(c)
            import
            type(c_ptr), value :: history
            type(dem_contacts_input), intent(in), target :: input
            type(dem_contacts_geometry), intent(in), target :: geometry
            real(c_double), value :: cosine
            integer(c_int64_t), intent(inout) :: features(*)
        end function
        integer(c_int32_t) function dem_contacts_stage_begin(history, input, stage) bind(c)
            import
            type(c_ptr), value :: history
            type(dem_contacts_input), intent(in), target :: input
            type(dem_contacts_stage), intent(inout), target :: stage
        end function
        integer(c_int32_t) function dem_contacts_stage_rate(history, input, totals) bind(c)
            import
            type(c_ptr), value :: history, totals
            type(dem_contacts_input), intent(in), target :: input
        end function
        integer(c_int32_t) function dem_contacts_stage_end(history) bind(c)
            import
            type(c_ptr), value :: history
        end function
        integer(c_int32_t) function dem_contact_history_pair_value( &
            history, material_a, material_b, index, value) bind(c)
            import
            type(c_ptr), value :: history
            integer(c_int32_t), value :: material_a, material_b
            integer(c_int64_t), value :: index
            type(dem_pair_value), intent(inout), target :: value
        end function
        integer(c_int64_t) function dem_contact_history_count(history) bind(c)
            import
            type(c_ptr), value :: history
        end function
        integer(c_int32_t) function dem_contact_history_next(history, cursor, contact) bind(c)
            import
            type(c_ptr), value :: history
            integer(c_int64_t), intent(inout) :: cursor
            type(dem_contact), intent(inout), target :: contact
        end function
        integer(c_int32_t) function dem_contact_history_clear(history) bind(c)
            import
            type(c_ptr), value :: history
        end function
        integer(c_int32_t) function dem_contacts_undo(history) bind(c)
            import
            type(c_ptr), value :: history
        end function
        !> `ids` and `buffer` are addresses; c_null_ptr for `buffer` asks for the number of bytes
        integer(c_int32_t) function dem_contact_history_pack(history, count, ids, buffer, size, &
                bytes) bind(c)
            import
            type(c_ptr), value :: history, ids, buffer
            integer(c_int64_t), value :: count, size
            integer(c_int64_t), intent(inout) :: bytes
        end function
        integer(c_int32_t) function dem_contact_history_unpack(history, buffer, size) bind(c)
            import
            type(c_ptr), value :: history, buffer
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_contact_history_forget(history, count, ids) bind(c)
            import
            type(c_ptr), value :: history, ids
            integer(c_int64_t), value :: count
        end function
        integer(c_int32_t) function dem_contact_history_add(history, count, contacts) bind(c)
            import
            type(c_ptr), value :: history
            integer(c_int64_t), value :: count
            type(dem_contact), intent(in), target :: contacts(*)
        end function
        integer(c_int32_t) function dem_contact_history_snapshot_size(history, bytes) bind(c)
            import
            type(c_ptr), value :: history
            integer(c_int64_t), intent(inout) :: bytes
        end function
        integer(c_int32_t) function dem_contact_history_snapshot(history, buffer, size, written) &
                bind(c)
            import
            type(c_ptr), value :: history, buffer
            integer(c_int64_t), value :: size
            integer(c_int64_t), intent(inout) :: written
        end function
        integer(c_int32_t) function dem_contact_history_restore(history, buffer, size) bind(c)
            import
            type(c_ptr), value :: history, buffer
            integer(c_int64_t), value :: size
        end function
        ! integrator.h
        integer(c_int32_t) function dem_integrator_config_init_sized(config, size) bind(c)
            import
            type(dem_integrator_config), intent(inout), target :: config
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_integrator_create(config, integrator, error) bind(c)
            import
            type(dem_integrator_config), intent(in), target :: config
            type(c_ptr), intent(out) :: integrator
            type(c_ptr), value :: error
        end function
        subroutine dem_integrator_destroy(integrator) bind(c)
            import
            type(c_ptr), value :: integrator
        end subroutine
        type(c_ptr) function dem_integrator_error(integrator) bind(c)
            import
            type(c_ptr), value :: integrator
        end function
        integer(c_int32_t) function dem_integrator_arrays_init_sized(arrays, size) bind(c)
            import
            type(dem_integrator_arrays), intent(inout), target :: arrays
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_integrator_begin(integrator, arrays, dt) bind(c)
            import
            type(c_ptr), value :: integrator
            type(dem_integrator_arrays), intent(in), target :: arrays
            real(c_double), value :: dt
        end function
        integer(c_int32_t) function dem_integrator_end(integrator, arrays) bind(c)
            import
            type(c_ptr), value :: integrator
            type(dem_integrator_arrays), intent(in), target :: arrays
        end function
        integer(c_int32_t) function dem_integrator_accelerations( &
            integrator, acceleration, angular_acceleration) bind(c)
            import
            type(c_ptr), value :: integrator
            type(c_ptr), intent(out) :: acceleration, angular_acceleration
        end function
        integer(c_int32_t) function dem_integrator_prepare(integrator, input) bind(c)
            import
            type(c_ptr), value :: integrator
            type(dem_contacts_input), intent(inout), target :: input
        end function
        integer(c_int32_t) function dem_integrator_stage_count(integrator) bind(c)
            import
            type(c_ptr), value :: integrator
        end function
        integer(c_int32_t) function dem_integrator_stage(integrator, arrays, dt) bind(c)
            import
            type(c_ptr), value :: integrator
            type(dem_integrator_arrays), intent(in), target :: arrays
            real(c_double), value :: dt
        end function
        integer(c_int32_t) function dem_integrator_cancel(integrator) bind(c)
            import
            type(c_ptr), value :: integrator
        end function
        integer(c_int32_t) function dem_integrator_velocity_lag(integrator, lag) bind(c)
            import
            type(c_ptr), value :: integrator
            real(c_double), intent(inout) :: lag
        end function
        integer(c_int32_t) function dem_integrator_kinematics(integrator, kinematics) bind(c)
            import
            type(c_ptr), value :: integrator
            integer(c_int32_t), intent(inout) :: kinematics
        end function
        ! coupling.h
        integer(c_int32_t) function dem_world_advance(world, duration, dt_max, steps) bind(c)
            import
            type(c_ptr), value :: world
            real(c_double), value :: duration, dt_max
            integer(c_int64_t), intent(inout) :: steps
        end function
        integer(c_int32_t) function dem_world_impulses_reset(world) bind(c)
            import
            type(c_ptr), value :: world
        end function
        ! world.h
        integer(c_int32_t) function dem_world_config_init_sized(config, size) bind(c)
            import
            type(dem_world_config), intent(inout), target :: config
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_world_create(config, world, error) bind(c)
            import
            type(dem_world_config), intent(in), target :: config
            type(c_ptr), intent(out) :: world
            type(c_ptr), value :: error
        end function
        subroutine dem_world_destroy(world) bind(c)
            import
            type(c_ptr), value :: world
        end subroutine
        type(c_ptr) function dem_world_error(world) bind(c)
            import
            type(c_ptr), value :: world
        end function
        integer(c_int32_t) function dem_world_law_register(world, law) bind(c)
            import
            type(c_ptr), value :: world
            type(dem_law), intent(in), target :: law
        end function
        integer(c_int32_t) function dem_material_init_sized(material, size) bind(c)
            import
            type(dem_material), intent(inout) :: material
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_material_set(world, index, material) bind(c)
            import
            type(c_ptr), value :: world
            integer(c_int32_t), value :: index
            type(dem_material), intent(in) :: material
        end function
        integer(c_int32_t) function dem_contact_model_set( &
            world, material_a, material_b, model) bind(c)
            import
            type(c_ptr), value :: world
            integer(c_int32_t), value :: material_a, material_b
            type(dem_contact_model), intent(in), target :: model
        end function
        integer(c_int32_t) function dem_world_pair_value( &
            world, material_a, material_b, index, value) bind(c)
            import
            type(c_ptr), value :: world
            integer(c_int32_t), value :: material_a, material_b
            integer(c_int64_t), value :: index
            type(dem_pair_value), intent(inout), target :: value
        end function
        integer(c_int32_t) function dem_timestep_request_init_sized(request, size) bind(c)
            import
            type(dem_timestep_request), intent(inout) :: request
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_world_timestep_advise(world, request, advice) bind(c)
            import
            type(c_ptr), value :: world, request
            type(dem_timestep_advice), intent(inout) :: advice
        end function
        integer(c_int32_t) function dem_particle_init_sized(particle, size) bind(c)
            import
            type(dem_particle), intent(inout) :: particle
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_particles_add(world, count, particles, handles) bind(c)
            import
            type(c_ptr), value :: world, handles
            integer(c_int64_t), value :: count
            type(dem_particle), intent(in) :: particles(*)
        end function
        integer(c_int32_t) function dem_particle_add(world, particle, handle) bind(c)
            import
            type(c_ptr), value :: world, handle
            type(dem_particle), intent(in) :: particle
        end function
        integer(c_int32_t) function dem_particle_remove(world, handle) bind(c)
            import
            type(c_ptr), value :: world
            type(dem_particle_handle), value :: handle
        end function
        integer(c_int32_t) function dem_particle_find(world, id, handle) bind(c)
            import
            type(c_ptr), value :: world
            integer(c_int64_t), value :: id
            type(dem_particle_handle), intent(inout) :: handle
        end function
        integer(c_int32_t) function dem_particle_get(world, handle, particle) bind(c)
            import
            type(c_ptr), value :: world
            type(dem_particle_handle), value :: handle
            type(dem_particle), intent(inout) :: particle
        end function
        integer(c_int32_t) function dem_particle_set_motion( &
            world, handle, position, velocity, angular_velocity) bind(c)
            import
            type(c_ptr), value :: world, position, velocity, angular_velocity
            type(dem_particle_handle), value :: handle
        end function
        integer(c_int32_t) function dem_particle_set_force(world, handle, force, torque) bind(c)
            import
            type(c_ptr), value :: world, force, torque
            type(dem_particle_handle), value :: handle
        end function
        integer(c_int32_t) function dem_wall_init_sized(wall, size) bind(c)
            import
            type(dem_wall), intent(inout), target :: wall
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_wall_add(world, wall, id) bind(c)
            import
            type(c_ptr), value :: world, id
            type(dem_wall), intent(in), target :: wall
        end function
        integer(c_int32_t) function dem_wall_remove(world, id) bind(c)
            import
            type(c_ptr), value :: world
            integer(c_int64_t), value :: id
        end function
        integer(c_int32_t) function dem_wall_get(world, id, wall) bind(c)
            import
            type(c_ptr), value :: world
            integer(c_int64_t), value :: id
            type(dem_wall), intent(inout), target :: wall
        end function
        integer(c_int32_t) function dem_wall_set_velocity(world, id, velocity) bind(c)
            import
            type(c_ptr), value :: world
            integer(c_int64_t), value :: id
            real(c_double), intent(in) :: velocity(3)
        end function
        integer(c_int32_t) function dem_wall_set_motion(world, id, velocity, angular_velocity, &
            pivot) bind(c)
            import
            type(c_ptr), value :: world, velocity, angular_velocity, pivot
            integer(c_int64_t), value :: id
        end function
        integer(c_int32_t) function dem_wall_servo_init_sized(servo, size) bind(c)
            import
            type(dem_wall_servo), intent(inout) :: servo
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_wall_set_servo(world, id, servo) bind(c)
            import
            type(c_ptr), value :: world, servo
            integer(c_int64_t), value :: id
        end function
        integer(c_int32_t) function dem_wall_set_vertices(world, id, positions, velocities) bind(c)
            import
            type(c_ptr), value :: world, positions, velocities
            integer(c_int64_t), value :: id
        end function
        integer(c_int32_t) function dem_wall_view(world, id, field, view) bind(c)
            import
            type(c_ptr), value :: world
            integer(c_int64_t), value :: id
            integer(c_int32_t), value :: field
            type(dem_view), intent(inout), target :: view
        end function
        integer(c_int32_t) function dem_world_gravity_set(world, gravity) bind(c)
            import
            type(c_ptr), value :: world
            real(c_double), intent(in) :: gravity(3)
        end function
        integer(c_int32_t) function dem_step(world, dt, steps) bind(c)
            import
            type(c_ptr), value :: world
            real(c_double), value :: dt
            integer(c_int64_t), value :: steps
        end function

        ! distribution.h
        integer(c_int32_t) function dem_ghosts_get(world, count, handles, ghosts) bind(c)
            import
            type(c_ptr), value :: world
            integer(c_int64_t), value :: count
            type(dem_particle_handle), intent(in) :: handles(*)
            type(dem_ghost), intent(inout) :: ghosts(*)
        end function
        integer(c_int32_t) function dem_ghosts_set(world, count, ghosts, margin, handles) bind(c)
            import
            type(c_ptr), value :: world, handles
            integer(c_int64_t), value :: count
            type(dem_ghost), intent(in) :: ghosts(*)
            real(c_double), value :: margin
        end function
        integer(c_int32_t) function dem_particles_field_get(world, field, count, handles, &
                values) bind(c)
            import
            type(c_ptr), value :: world
            integer(c_int32_t), value :: field
            integer(c_int64_t), value :: count
            type(dem_particle_handle), intent(in) :: handles(*)
            real(c_double), intent(inout) :: values(*)
        end function
        integer(c_int32_t) function dem_ghosts_field_set(world, field, count, handles, &
                values) bind(c)
            import
            type(c_ptr), value :: world
            integer(c_int32_t), value :: field
            integer(c_int64_t), value :: count
            type(dem_particle_handle), intent(in) :: handles(*)
            real(c_double), intent(in) :: values(*)
        end function
        integer(c_int32_t) function dem_ghosts_wanted(world) bind(c)
            import
            type(c_ptr), value :: world
        end function
        integer(c_int32_t) function dem_world_rebuild_wanted(world) bind(c)
            import
            type(c_ptr), value :: world
        end function
        integer(c_int32_t) function dem_world_rebuild_order(world) bind(c)
            import
            type(c_ptr), value :: world
        end function
        integer(c_int32_t) function dem_particles_release(world, count, handles) bind(c)
            import
            type(c_ptr), value :: world
            integer(c_int64_t), value :: count
            type(dem_particle_handle), intent(in) :: handles(*)
        end function
        integer(c_int32_t) function dem_particles_pack(world, count, handles, buffer, size, &
                bytes) bind(c)
            import
            type(c_ptr), value :: world, buffer, bytes
            integer(c_int64_t), value :: count, size
            type(dem_particle_handle), intent(in) :: handles(*)
        end function
        integer(c_int32_t) function dem_ghost_bodies_get(world, count, handles, buffer, size, &
                bytes) bind(c)
            import
            type(c_ptr), value :: world, buffer, bytes
            integer(c_int64_t), value :: count, size
            type(dem_body_handle), intent(in) :: handles(*)
        end function
        integer(c_int32_t) function dem_ghost_bodies_set(world, buffer, size, margin, capacity, &
                handles, count) bind(c)
            import
            type(c_ptr), value :: world, buffer, handles, count
            integer(c_int64_t), value :: size, capacity
            real(c_double), value :: margin
        end function
        integer(c_int32_t) function dem_bodies_loads_get(world, count, handles, &
                force_torque) bind(c)
            import
            type(c_ptr), value :: world
            integer(c_int64_t), value :: count
            type(dem_body_handle), intent(in) :: handles(*)
            real(c_double), intent(inout) :: force_torque(6, *)
        end function
        integer(c_int32_t) function dem_ghost_bodies_loads_set(world, count, handles, &
                force_torque) bind(c)
            import
            type(c_ptr), value :: world
            integer(c_int64_t), value :: count
            type(dem_body_handle), intent(in) :: handles(*)
            real(c_double), intent(in) :: force_torque(6, *)
        end function
        integer(c_int32_t) function dem_bodies_release(world, count, handles) bind(c)
            import
            type(c_ptr), value :: world
            integer(c_int64_t), value :: count
            type(dem_body_handle), intent(in) :: handles(*)
        end function
        integer(c_int32_t) function dem_bodies_pack(world, count, handles, buffer, size, &
                bytes) bind(c)
            import
            type(c_ptr), value :: world, buffer, bytes
            integer(c_int64_t), value :: count, size
            type(dem_body_handle), intent(in) :: handles(*)
        end function
        integer(c_int32_t) function dem_particles_unpack(world, buffer, size, count) bind(c)
            import
            type(c_ptr), value :: world, buffer, count
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_step_begin(world, dt) bind(c)
            import
            type(c_ptr), value :: world
            real(c_double), value :: dt
        end function
        integer(c_int32_t) function dem_particles_forces_get(world, count, handles, &
                force_torque) bind(c)
            import
            type(c_ptr), value :: world
            integer(c_int64_t), value :: count
            type(dem_particle_handle), intent(in) :: handles(*)
            real(c_double), intent(inout) :: force_torque(6, *)
        end function
        integer(c_int32_t) function dem_ghosts_forces_set(world, count, handles, &
                force_torque) bind(c)
            import
            type(c_ptr), value :: world
            integer(c_int64_t), value :: count
            type(dem_particle_handle), intent(in) :: handles(*)
            real(c_double), intent(in) :: force_torque(6, *)
        end function
        integer(c_int32_t) function dem_wall_part_get(world, id, part) bind(c)
            import
            type(c_ptr), value :: world
            integer(c_int64_t), value :: id
            real(c_double), intent(inout) :: part(DEM_WALL_PART_SIZE)
        end function
        integer(c_int32_t) function dem_wall_total_set(world, id, total) bind(c)
            import
            type(c_ptr), value :: world
            integer(c_int64_t), value :: id
            real(c_double), intent(in) :: total(DEM_WALL_PART_SIZE)
        end function
        integer(c_int32_t) function dem_step_end(world) bind(c)
            import
            type(c_ptr), value :: world
        end function
        integer(c_int32_t) function dem_step_cancel(world) bind(c)
            import
            type(c_ptr), value :: world
        end function

        ! world.h
        integer(c_int32_t) function dem_world_energies_get(world, energies) bind(c)
            import
            type(c_ptr), value :: world
            type(dem_world_energies), intent(inout) :: energies
        end function
        integer(c_int32_t) function dem_world_counts_get(world, counts) bind(c)
            import
            type(c_ptr), value :: world
            type(dem_world_counts), intent(inout) :: counts
        end function
        real(c_double) function dem_world_time(world) bind(c)
            import
            type(c_ptr), value :: world
        end function
        integer(c_int32_t) function dem_world_hash(world, hash) bind(c)
            import
            type(c_ptr), value :: world
            integer(c_int64_t), intent(inout) :: hash
        end function
        integer(c_int32_t) function dem_world_view(world, field, view) bind(c)
            import
            type(c_ptr), value :: world
            integer(c_int32_t), value :: field
            type(dem_view), intent(inout), target :: view
        end function
        integer(c_int32_t) function dem_world_view_stale(world, view) bind(c)
            import
            type(c_ptr), value :: world
            type(dem_view), intent(in), target :: view
        end function
        integer(c_int32_t) function dem_world_field_set(world, field, count, values) bind(c)
            import
            type(c_ptr), value :: world
            integer(c_int32_t), value :: field
            integer(c_int64_t), value :: count
            real(c_double), intent(in) :: values(*)
        end function
        integer(c_int32_t) function dem_world_written_field(world, field) bind(c)
            import
            type(c_ptr), value :: world
            integer(c_int32_t), value :: field
        end function
        integer(c_int32_t) function dem_world_written(world) bind(c)
            import
            type(c_ptr), value :: world
        end function
        integer(c_int32_t) function dem_world_contact_next(world, cursor, contact) bind(c)
            import
            type(c_ptr), value :: world
            integer(c_int64_t), intent(inout) :: cursor
            type(dem_contact), intent(inout), target :: contact
        end function
        integer(c_int32_t) function dem_contact_arrays_init_sized(arrays, size) bind(c)
            import
            type(dem_contact_arrays), intent(inout), target :: arrays
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_world_contacts_read(world, cursor, arrays, count) bind(c)
            import
            type(c_ptr), value :: world
            integer(c_int64_t), intent(inout) :: cursor
            type(dem_contact_arrays), intent(in), target :: arrays
            integer(c_int64_t), intent(inout) :: count
        end function
        integer(c_int32_t) function dem_world_snapshot_write(world, write, user) bind(c)
            import
            type(c_ptr), value :: world, user
            type(c_funptr), value :: write
        end function
        integer(c_int32_t) function dem_world_snapshot_read(world, read, user) bind(c)
            import
            type(c_ptr), value :: world, user
            type(c_funptr), value :: read
        end function
        integer(c_int32_t) function dem_world_mark(world) bind(c)
            import
            type(c_ptr), value :: world
        end function
        integer(c_int32_t) function dem_world_shrink(world) bind(c)
            import
            type(c_ptr), value :: world
        end function
        integer(c_int32_t) function dem_world_rewind(world) bind(c)
            import
            type(c_ptr), value :: world
        end function
        ! deposition.h
        integer(c_int32_t) function dem_deposition_grid_init_sized(grid, size) bind(c)
            import
            type(dem_deposition_grid), intent(inout) :: grid
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_deposition_weights_of(grid, position, weights, error) &
            bind(c)
            import
            type(dem_deposition_grid), intent(in) :: grid
            real(c_double), intent(in) :: position(3)
            type(dem_deposition_weights), intent(inout) :: weights
            type(c_ptr), value :: error
        end function
        integer(c_int32_t) function dem_deposit(grid, count, position, position_stride, value, &
            value_stride, components, cells, error) bind(c)
            import
            type(dem_deposition_grid), intent(in) :: grid
            integer(c_int64_t), value :: count, position_stride, value_stride, components
            type(c_ptr), value :: position, value, cells, error
        end function
        integer(c_int32_t) function dem_interpolate(grid, count, position, position_stride, &
            cells, components, value, value_stride, error) bind(c)
            import
            type(dem_deposition_grid), intent(in) :: grid
            integer(c_int64_t), value :: count, position_stride, value_stride, components
            type(c_ptr), value :: position, value, cells, error
        end function
        integer(c_int32_t) function dem_deposit_given(count, begin, cell, weight, cell_count, &
            value, value_stride, components, cells, error) bind(c)
            import
            integer(c_int64_t), value :: count, cell_count, value_stride, components
            type(c_ptr), value :: begin, cell, weight, value, cells, error
        end function
        integer(c_int32_t) function dem_interpolate_given(count, begin, cell, weight, &
            cell_count, cells, components, value, value_stride, error) bind(c)
            import
            integer(c_int64_t), value :: count, cell_count, value_stride, components
            type(c_ptr), value :: begin, cell, weight, value, cells, error
        end function
        integer(c_int32_t) function dem_deposition_fraction_most(count, solid, solid_stride, &
            volume, volume_stride, cell, fraction, error) bind(c)
            import
            integer(c_int64_t), value :: count, solid_stride, volume_stride
            type(c_ptr), value :: solid, volume, cell, error
            real(c_double), intent(inout) :: fraction
        end function
        integer(c_int32_t) function dem_deposition_undisturbed(coefficient, constant, viscosity, &
            cell, corrected, error) bind(c)
            import
            real(c_double), value :: coefficient, constant, viscosity, cell
            real(c_double), intent(inout) :: corrected
            type(c_ptr), value :: error
        end function
        ! analysis.h
        integer(c_int32_t) function dem_analysis_grid_init_sized(grid, size) bind(c)
            import
            type(dem_analysis_grid), intent(inout) :: grid
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_world_boxes_analyse(world, grid, count, box) bind(c)
            import
            type(c_ptr), value :: world
            type(dem_analysis_grid), intent(in) :: grid
            integer(c_int64_t), value :: count
            type(dem_analysis_box), intent(inout) :: box(*)
        end function
        integer(c_int32_t) function dem_analysis_particles_init_sized(arrays, size) bind(c)
            import
            type(dem_analysis_particles), intent(inout), target :: arrays
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_world_particles_analyse(world, arrays, count) bind(c)
            import
            type(c_ptr), value :: world
            type(dem_analysis_particles), intent(in), target :: arrays
            integer(c_int64_t), intent(inout) :: count
        end function
        ! law_hysteretic.h
        real(c_double) function dem_kernel_normal_hysteretic( &
            loading, unloading, growth, limit, cohesion, recovers, overlap, overlap_max) bind(c)
            import
            real(c_double), value :: loading, unloading, growth, limit, cohesion, overlap
            integer(c_int32_t), value :: recovers
            real(c_double), intent(inout) :: overlap_max
        end function
        real(c_double) function dem_kernel_hysteretic_loss( &
            loading, unloading, growth, cohesion, from, to) bind(c)
            import
            real(c_double), value :: loading, unloading, growth, cohesion, from, to
        end function
        real(c_double) function dem_kernel_normal_thornton( &
            radius, effective_young, yield_pressure, overlap, overlap_max, contact_radius) bind(c)
            import
            real(c_double), value :: radius, effective_young, yield_pressure, overlap
            real(c_double), intent(inout) :: overlap_max, contact_radius
        end function
        real(c_double) function dem_kernel_thornton_loss( &
            radius, effective_young, yield_pressure, overlap_max) bind(c)
            import
            real(c_double), value :: radius, effective_young, yield_pressure, overlap_max
        end function
        real(c_double) function dem_kernel_thornton_restitution( &
            radius, effective_young, yield_pressure, mass, speed) bind(c)
            import
            real(c_double), value :: radius, effective_young, yield_pressure, mass, speed
        end function
        ! law_actm.h
        real(c_double) function dem_kernel_root5(x) bind(c)
            import
            real(c_double), value :: x
        end function
        real(c_double) function dem_kernel_actm( &
            mass, speed, lambda, unit, lowest, highest, stiffness, damping) bind(c)
            import
            real(c_double), value :: mass, speed, lambda, unit, lowest, highest
            real(c_double), intent(inout) :: stiffness, damping
        end function
        real(c_double) function dem_kernel_normal_actm( &
            stiffness, damping, overlap, normal_velocity) bind(c)
            import
            real(c_double), value :: stiffness, damping, overlap, normal_velocity
        end function
        ! law_adhesion.h
        real(c_double) function dem_kernel_cube_root(x) bind(c)
            import
            real(c_double), value :: x
        end function
        real(c_double) function dem_kernel_jkr_neck( &
            radius, effective_young, work_of_adhesion) bind(c)
            import
            real(c_double), value :: radius, effective_young, work_of_adhesion
        end function
        real(c_double) function dem_kernel_jkr_gap(radius, neck) bind(c)
            import
            real(c_double), value :: radius, neck
        end function
        real(c_double) function dem_kernel_jkr_root(radius, neck, overlap) bind(c)
            import
            real(c_double), value :: radius, neck, overlap
        end function
        real(c_double) function dem_kernel_jkr_force( &
            radius, effective_young, neck, root) bind(c)
            import
            real(c_double), value :: radius, effective_young, neck, root
        end function
        real(c_double) function dem_kernel_jkr_energy( &
            radius, effective_young, neck, root) bind(c)
            import
            real(c_double), value :: radius, effective_young, neck, root
        end function
        real(c_double) function dem_kernel_normal_jkr( &
            radius, effective_young, work_of_adhesion, overlap, contact_radius) bind(c)
            import
            real(c_double), value :: radius, effective_young, work_of_adhesion, overlap
            real(c_double), intent(inout) :: contact_radius
        end function
        real(c_double) function dem_kernel_normal_dmt( &
            radius, effective_young, work_of_adhesion, overlap) bind(c)
            import
            real(c_double), value :: radius, effective_young, work_of_adhesion, overlap
        end function
        ! mesh.h; a path is characters that end with c_null_char
        integer(c_int32_t) function dem_mesh_config_init_sized(config, size) bind(c)
            import
            type(dem_mesh_config), intent(inout), target :: config
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_mesh_create( &
            config, vertices, vertex_count, facets, facet_count, mesh, error) bind(c)
            import
            type(dem_mesh_config), intent(in), target :: config
            real(c_double), intent(in) :: vertices(3, *)
            integer(c_int64_t), value :: vertex_count, facet_count
            integer(c_int32_t), intent(in) :: facets(3, *)
            type(c_ptr), intent(out) :: mesh
            type(c_ptr), value :: error
        end function
        integer(c_int32_t) function dem_mesh_create_stl(config, bytes, size, mesh, error) bind(c)
            import
            type(dem_mesh_config), intent(in), target :: config
            type(c_ptr), value :: bytes, error
            integer(c_int64_t), value :: size
            type(c_ptr), intent(out) :: mesh
        end function
        integer(c_int32_t) function dem_mesh_create_obj(config, bytes, size, mesh, error) bind(c)
            import
            type(dem_mesh_config), intent(in), target :: config
            type(c_ptr), value :: bytes, error
            integer(c_int64_t), value :: size
            type(c_ptr), intent(out) :: mesh
        end function
        integer(c_int32_t) function dem_mesh_create_file(config, path, mesh, error) bind(c)
            import
            type(dem_mesh_config), intent(in), target :: config
            character(kind=c_char), intent(in) :: path(*)
            type(c_ptr), intent(out) :: mesh
            type(c_ptr), value :: error
        end function
        type(c_ptr) function dem_mesh_retain(mesh) bind(c)
            import
            type(c_ptr), value :: mesh
        end function
        subroutine dem_mesh_destroy(mesh) bind(c)
            import
            type(c_ptr), value :: mesh
        end subroutine
        integer(c_int32_t) function dem_mesh_properties_get(mesh, properties) bind(c)
            import
            type(c_ptr), value :: mesh
            type(dem_mesh_properties), intent(inout) :: properties
        end function
        integer(c_int32_t) function dem_mesh_measure(mesh, solid, error) bind(c)
            import
            type(c_ptr), value :: mesh, error
            type(dem_mesh_solid), intent(inout) :: solid
        end function
        integer(c_int32_t) function dem_mesh_search_config_init_sized(config, size) bind(c)
            import
            type(dem_mesh_search_config), intent(inout), target :: config
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_mesh_search_create(config, mesh, search, error) bind(c)
            import
            type(dem_mesh_search_config), intent(in), target :: config
            type(c_ptr), value :: mesh, error
            type(c_ptr), intent(out) :: search
        end function
        subroutine dem_mesh_search_destroy(search) bind(c)
            import
            type(c_ptr), value :: search
        end subroutine
        type(c_ptr) function dem_mesh_search_error(search) bind(c)
            import
            type(c_ptr), value :: search
        end function
        integer(c_int32_t) function dem_mesh_spheres_init_sized(spheres, size) bind(c)
            import
            type(dem_mesh_spheres), intent(inout), target :: spheres
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_mesh_search_spheres(search, spheres, contacts) bind(c)
            import
            type(c_ptr), value :: search
            type(dem_mesh_spheres), intent(in), target :: spheres
            type(dem_mesh_contacts), intent(inout), target :: contacts
        end function
        integer(c_int32_t) function dem_wall_search_config_init_sized(config, size) bind(c)
            import
            type(dem_wall_search_config), intent(inout), target :: config
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_wall_search_create(config, wall, search, error) bind(c)
            import
            type(dem_wall_search_config), intent(in), target :: config
            type(dem_wall), intent(in), target :: wall
            type(c_ptr), intent(out) :: search
            type(c_ptr), value :: error
        end function
        subroutine dem_wall_search_destroy(search) bind(c)
            import
            type(c_ptr), value :: search
        end subroutine
        type(c_ptr) function dem_wall_search_error(search) bind(c)
            import
            type(c_ptr), value :: search
        end function
        integer(c_int32_t) function dem_wall_spheres_init_sized(spheres, size) bind(c)
            import
            type(dem_wall_spheres), intent(inout), target :: spheres
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_wall_search_spheres(search, spheres, contacts) bind(c)
            import
            type(c_ptr), value :: search
            type(dem_wall_spheres), intent(in), target :: spheres
            type(dem_wall_contacts), intent(inout), target :: contacts
        end function
        type(c_ptr) function dem_mesh_vertices(mesh) bind(c)
            import
            type(c_ptr), value :: mesh
        end function
        type(c_ptr) function dem_mesh_facets(mesh) bind(c)
            import
            type(c_ptr), value :: mesh
        end function
        type(c_ptr) function dem_mesh_defects(mesh) bind(c)
            import
            type(c_ptr), value :: mesh
        end function

        ! polyhedron.h
        integer(c_int32_t) function dem_polyhedron_config_init_sized(config, size) bind(c)
            import
            type(dem_polyhedron_config), intent(inout), target :: config
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_polyhedron_create(config, mesh, polyhedron, error) bind(c)
            import
            type(dem_polyhedron_config), intent(in), target :: config
            type(c_ptr), value :: mesh, error
            type(c_ptr), intent(out) :: polyhedron
        end function
        type(c_ptr) function dem_polyhedron_retain(polyhedron) bind(c)
            import
            type(c_ptr), value :: polyhedron
        end function
        subroutine dem_polyhedron_destroy(polyhedron) bind(c)
            import
            type(c_ptr), value :: polyhedron
        end subroutine
        integer(c_int32_t) function dem_polyhedron_properties_get(polyhedron, properties) bind(c)
            import
            type(c_ptr), value :: polyhedron
            type(dem_polyhedron_properties), intent(inout) :: properties
        end function
        type(c_ptr) function dem_polyhedron_mesh(polyhedron) bind(c)
            import
            type(c_ptr), value :: polyhedron
        end function
        integer(c_int32_t) function dem_polyhedron_search_config_init_sized(config, size) bind(c)
            import
            type(dem_polyhedron_search_config), intent(inout), target :: config
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_polyhedron_search_create(config, search, error) bind(c)
            import
            type(dem_polyhedron_search_config), intent(in), target :: config
            type(c_ptr), intent(out) :: search
            type(c_ptr), value :: error
        end function
        subroutine dem_polyhedron_search_destroy(search) bind(c)
            import
            type(c_ptr), value :: search
        end subroutine
        type(c_ptr) function dem_polyhedron_search_error(search) bind(c)
            import
            type(c_ptr), value :: search
        end function
        integer(c_int32_t) function dem_polyhedron_motion_init_sized(motion, size) bind(c)
            import
            type(dem_polyhedron_motion), intent(inout), target :: motion
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_polyhedron_search_pair( &
            search, first, second, hint, contact) bind(c)
            import
            type(c_ptr), value :: search, hint
            type(dem_polyhedron_motion), intent(in), target :: first, second
            type(dem_polyhedron_contact), intent(inout) :: contact
        end function
        integer(c_int32_t) function dem_polyhedron_search_plane( &
            search, body, point, normal, velocity, contact) bind(c)
            import
            type(c_ptr), value :: search, velocity
            type(dem_polyhedron_motion), intent(in), target :: body
            real(c_double), intent(in) :: point(3), normal(3)
            type(dem_polyhedron_contact), intent(inout) :: contact
        end function
        integer(c_int32_t) function dem_polyhedron_law_init_sized(law, size) bind(c)
            import
            type(dem_polyhedron_law), intent(inout) :: law
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_polyhedron_force(law, contact, mass, load, error) bind(c)
            import
            type(dem_polyhedron_law), intent(in) :: law
            type(dem_polyhedron_contact), intent(in) :: contact
            real(c_double), value :: mass
            type(dem_polyhedron_load), intent(inout) :: load
            type(c_ptr), value :: error
        end function
        real(c_double) function dem_polyhedron_mass(mass, inertia, orientation, arm) bind(c)
            import
            real(c_double), value :: mass
            real(c_double), intent(in) :: inertia(3), orientation(4), arm(3)
        end function

        ! snapshot.h; a path is characters that end with c_null_char
        integer(c_int32_t) function dem_world_snapshot_size(world, bytes) bind(c)
            import
            type(c_ptr), value :: world
            integer(c_int64_t), intent(inout) :: bytes
        end function
        integer(c_int32_t) function dem_world_snapshot(world, buffer, size, written) bind(c)
            import
            type(c_ptr), value :: world, buffer
            integer(c_int64_t), value :: size
            integer(c_int64_t), intent(inout) :: written
        end function
        integer(c_int32_t) function dem_world_restore(world, buffer, size) bind(c)
            import
            type(c_ptr), value :: world, buffer
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_world_save(world, path) bind(c)
            import
            type(c_ptr), value :: world
            character(kind=c_char), intent(in) :: path(*)
        end function
        integer(c_int32_t) function dem_world_load(world, path) bind(c)
            import
            type(c_ptr), value :: world
            character(kind=c_char), intent(in) :: path(*)
        end function
        ! law_hertz.h
        real(c_double) function dem_kernel_effective_young( &
            young_i, poisson_i, young_j, poisson_j) bind(c)
            import
            real(c_double), value :: young_i, poisson_i, young_j, poisson_j
        end function
        real(c_double) function dem_kernel_effective_shear( &
            young_i, poisson_i, young_j, poisson_j) bind(c)
            import
            real(c_double), value :: young_i, poisson_i, young_j, poisson_j
        end function
        real(c_double) function dem_kernel_contact_radius_hertz(radius, overlap) bind(c)
            import
            real(c_double), value :: radius, overlap
        end function
        real(c_double) function dem_kernel_normal_hertz( &
            effective_young, contact_radius, damping, overlap, normal_velocity, attractive) bind(c)
            import
            real(c_double), value :: effective_young, contact_radius, damping, overlap, &
                normal_velocity
            integer(c_int32_t), value :: attractive
        end function
        real(c_double) function dem_kernel_damping_hertz( &
            alpha, mass, effective_young, contact_radius) bind(c)
            import
            real(c_double), value :: alpha, mass, effective_young, contact_radius
        end function
        real(c_double) function dem_kernel_contact_time_hertz( &
            effective_young, radius, mass, speed) bind(c)
            import
            real(c_double), value :: effective_young, radius, mass, speed
        end function
        real(c_double) function dem_kernel_overlap_hertz( &
            effective_young, radius, mass, speed) bind(c)
            import
            real(c_double), value :: effective_young, radius, mass, speed
        end function
        ! law_mindlin.h
        real(c_double) function dem_kernel_stiffness_mindlin( &
            effective_shear, contact_radius) bind(c)
            import
            real(c_double), value :: effective_shear, contact_radius
        end function
        real(c_double) function dem_kernel_rescale_mindlin(stiffness_old, stiffness) bind(c)
            import
            real(c_double), value :: stiffness_old, stiffness
        end function
        real(c_double) function dem_kernel_damping_mindlin(ratio, mass, stiffness) bind(c)
            import
            real(c_double), value :: ratio, mass, stiffness
        end function
        integer(c_int32_t) function dem_kernel_mindlin_spring( &
            limit, increment, displacement) bind(c)
            import
            real(c_double), value :: limit
            real(c_double), intent(in) :: increment(2)
            real(c_double), intent(inout) :: displacement(2)
        end function
        ! kernels.h
        real(c_double) function dem_kernel_normal_linear( &
            stiffness, damping, overlap, normal_velocity, attractive) bind(c)
            import
            real(c_double), value :: stiffness, damping, overlap, normal_velocity
            integer(c_int32_t), value :: attractive
        end function
        subroutine dem_kernel_tangential_csds_increment( &
            stiffness, damping, limit, dt, increment, damping_velocity, displacement, force) bind(c)
            import
            real(c_double), value :: stiffness, damping, limit, dt
            real(c_double), intent(in) :: increment(3), damping_velocity(3)
            real(c_double), intent(inout) :: displacement(3), force(3)
        end subroutine
        subroutine dem_kernel_tangential_csds( &
            stiffness, damping, limit, dt, velocity, displacement, force) bind(c)
            import
            real(c_double), value :: stiffness, damping, limit, dt
            real(c_double), intent(in) :: velocity(3)
            real(c_double), intent(inout) :: displacement(3), force(3)
        end subroutine
        subroutine dem_kernel_tangential_csds_rate( &
            stiffness, damping, limit, velocity, displacement, rate, force) bind(c)
            import
            real(c_double), value :: stiffness, damping, limit
            real(c_double), intent(in) :: velocity(3), displacement(3)
            real(c_double), intent(inout) :: rate(3), force(3)
        end subroutine
        subroutine dem_kernel_tangential_dsds( &
            stiffness, damping, limit, increment, damping_velocity, displacement, force) bind(c)
            import
            real(c_double), value :: stiffness, damping, limit
            real(c_double), intent(in) :: increment(3), damping_velocity(3)
            real(c_double), intent(inout) :: displacement(3), force(3)
        end subroutine
        subroutine dem_kernel_tangential_truncated( &
            stiffness, damping, limit, increment, damping_velocity, displacement, force) bind(c)
            import
            real(c_double), value :: stiffness, damping, limit
            real(c_double), intent(in) :: increment(3), damping_velocity(3)
            real(c_double), intent(inout) :: displacement(3), force(3)
        end subroutine
        subroutine dem_kernel_tangential_unreset( &
            stiffness, damping, limit, increment, damping_velocity, displacement, force) bind(c)
            import
            real(c_double), value :: stiffness, damping, limit
            real(c_double), intent(in) :: increment(3), damping_velocity(3)
            real(c_double), intent(inout) :: displacement(3), force(3)
        end subroutine
        subroutine dem_kernel_tangential_li( &
            stiffness, damping, limit, increment, damping_velocity, displacement, force) bind(c)
            import
            real(c_double), value :: stiffness, damping, limit
            real(c_double), intent(in) :: increment(3), damping_velocity(3)
            real(c_double), intent(inout) :: displacement(3), force(3)
        end subroutine
        subroutine dem_kernel_tangential_viscous(damping, limit, velocity, force) bind(c)
            import
            real(c_double), value :: damping, limit
            real(c_double), intent(in) :: velocity(3)
            real(c_double), intent(inout) :: force(3)
        end subroutine
        subroutine dem_kernel_rolling_velocity( &
            radius, angular_velocity_i, angular_velocity_j, normal, velocity) bind(c)
            import
            real(c_double), value :: radius
            real(c_double), intent(in) :: angular_velocity_i(3), angular_velocity_j(3), normal(3)
            real(c_double), intent(inout) :: velocity(3)
        end subroutine
        subroutine dem_kernel_rolling_torque(radius, normal, force, torque) bind(c)
            import
            real(c_double), value :: radius
            real(c_double), intent(in) :: normal(3), force(3)
            real(c_double), intent(inout) :: torque(3)
        end subroutine
        subroutine dem_kernel_rolling_constant(limit, mass, dt, velocity, force) bind(c)
            import
            real(c_double), value :: limit, mass, dt
            real(c_double), intent(in) :: velocity(3)
            real(c_double), intent(inout) :: force(3)
        end subroutine
        real(c_double) function dem_kernel_twisting_csds( &
            stiffness, damping, limit, dt, velocity, displacement) bind(c)
            import
            real(c_double), value :: stiffness, damping, limit, dt, velocity
            real(c_double), intent(inout) :: displacement
        end function
        integer(c_int32_t) function dem_kernel_damping_ratio_cut(restitution, ratio) bind(c)
            import
            real(c_double), value :: restitution
            real(c_double), intent(inout) :: ratio
        end function
        integer(c_int32_t) function dem_kernel_damping_ratio_attractive( &
            restitution, ratio) bind(c)
            import
            real(c_double), value :: restitution
            real(c_double), intent(inout) :: ratio
        end function
        real(c_double) function dem_kernel_damping_linear(ratio, mass, stiffness) bind(c)
            import
            real(c_double), value :: ratio, mass, stiffness
        end function
        subroutine dem_kernel_rotate_minimal(from, to, vector) bind(c)
            import
            real(c_double), intent(in) :: from(3), to(3)
            real(c_double), intent(inout) :: vector(3)
        end subroutine
        subroutine dem_kernel_rotate_rescale(normal, vector) bind(c)
            import
            real(c_double), intent(in) :: normal(3)
            real(c_double), intent(inout) :: vector(3)
        end subroutine
        subroutine dem_kernel_rotate_twist(normal, half_tangent, vector) bind(c)
            import
            real(c_double), intent(in) :: normal(3)
            real(c_double), value :: half_tangent
            real(c_double), intent(inout) :: vector(3)
        end subroutine
        subroutine dem_kernel_rotate_orientation(angular_velocity, dt, orientation) bind(c)
            import
            real(c_double), intent(in) :: angular_velocity(3)
            real(c_double), value :: dt
            real(c_double), intent(inout) :: orientation(4)
        end subroutine

        ! body.h
        integer(c_int32_t) function dem_body_init_sized(body, size) bind(c)
            import
            type(dem_body), intent(inout) :: body
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_body_part_init_sized(part, size) bind(c)
            import
            type(dem_body_part), intent(inout), target :: part
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_body_arrays_init_sized(arrays, size) bind(c)
            import
            type(dem_body_arrays), intent(inout), target :: arrays
            integer(c_int64_t), value :: size
        end function
        integer(c_int32_t) function dem_clump_measure(density, part_count, parts, body, &
            uncertainty, error) bind(c)
            import
            real(c_double), value :: density
            integer(c_int64_t), value :: part_count
            type(dem_body_part), intent(inout), target :: parts(*)
            type(dem_body), intent(inout) :: body
            real(c_double), intent(inout) :: uncertainty
            type(dem_error), intent(inout) :: error
        end function
        integer(c_int32_t) function dem_body_add(world, body, part_count, parts, handle) bind(c)
            import
            type(c_ptr), value :: world, handle
            type(dem_body), intent(in) :: body
            integer(c_int64_t), value :: part_count
            type(dem_body_part), intent(in), target :: parts(*)
        end function
        integer(c_int32_t) function dem_body_remove(world, handle) bind(c)
            import
            type(c_ptr), value :: world
            type(dem_body_handle), value :: handle
        end function
        integer(c_int32_t) function dem_body_find(world, id, handle) bind(c)
            import
            type(c_ptr), value :: world
            integer(c_int64_t), value :: id
            type(dem_body_handle), intent(inout) :: handle
        end function
        integer(c_int32_t) function dem_body_get(world, handle, body) bind(c)
            import
            type(c_ptr), value :: world
            type(dem_body_handle), value :: handle
            type(dem_body), intent(inout) :: body
        end function
        integer(c_int32_t) function dem_body_set_motion( &
            world, handle, position, orientation, velocity, angular_velocity) bind(c)
            import
            type(c_ptr), value :: world, position, orientation, velocity, angular_velocity
            type(dem_body_handle), value :: handle
        end function
        integer(c_int32_t) function dem_body_set_force(world, handle, force, torque) bind(c)
            import
            type(c_ptr), value :: world, force, torque
            type(dem_body_handle), value :: handle
        end function
        integer(c_int32_t) function dem_body_part_find(world, handle, part, particle) bind(c)
            import
            type(c_ptr), value :: world
            type(dem_body_handle), value :: handle
            integer(c_int64_t), value :: part
            type(dem_particle_handle), intent(inout) :: particle
        end function
        integer(c_int32_t) function dem_world_shape_know(world, shape) bind(c)
            import
            type(c_ptr), value :: world, shape
        end function
        integer(c_int32_t) function dem_world_bodies_read(world, cursor, arrays, count) bind(c)
            import
            type(c_ptr), value :: world
            integer(c_int64_t), intent(inout) :: cursor
            type(dem_body_arrays), intent(in), target :: arrays
            integer(c_int64_t), intent(inout) :: count
        end function

        ! rotation.h
        real(c_double) function dem_kernel_rotation_mean(inertia) bind(c)
            import
            real(c_double), intent(in) :: inertia(3)
        end function
        subroutine dem_kernel_rotation_to_space(orientation, vector) bind(c)
            import
            real(c_double), intent(in) :: orientation(4)
            real(c_double), intent(inout) :: vector(3)
        end subroutine
        subroutine dem_kernel_rotation_to_body(orientation, vector) bind(c)
            import
            real(c_double), intent(in) :: orientation(4)
            real(c_double), intent(inout) :: vector(3)
        end subroutine
        subroutine dem_kernel_rotation_surplus(inertia, orientation, momentum, surplus) bind(c)
            import
            real(c_double), intent(in) :: inertia(3), orientation(4), momentum(3)
            real(c_double), intent(out) :: surplus(3)
        end subroutine
        subroutine dem_kernel_rotation_velocity(inertia, orientation, momentum, &
            angular_velocity) bind(c)
            import
            real(c_double), intent(in) :: inertia(3), orientation(4), momentum(3)
            real(c_double), intent(out) :: angular_velocity(3)
        end subroutine
        subroutine dem_kernel_rotation_momentum(inertia, orientation, angular_velocity, &
            momentum) bind(c)
            import
            real(c_double), intent(in) :: inertia(3), orientation(4), angular_velocity(3)
            real(c_double), intent(out) :: momentum(3)
        end subroutine
        integer(c_int32_t) function dem_kernel_rotation_drift(inertia, dt, momentum, orientation, &
            angular_velocity) bind(c)
            import
            real(c_double), intent(in) :: inertia(3), momentum(3)
            real(c_double), value :: dt
            real(c_double), intent(inout) :: orientation(4), angular_velocity(3)
        end function
    end interface

    !> Sets struct_size of a struct for the library to fill.
    interface dem_output_init
        module procedure dem_contact_totals_output
        module procedure dem_contact_output
        module procedure dem_contacts_stage_output
        module procedure dem_world_energies_output
        module procedure dem_world_counts_output
        module procedure dem_view_output
        module procedure dem_pair_value_output
        module procedure dem_mesh_properties_output
        module procedure dem_mesh_solid_output
        module procedure dem_polyhedron_properties_output
        module procedure dem_polyhedron_contact_output
        module procedure dem_polyhedron_load_output
        module procedure dem_mesh_contacts_output
        module procedure dem_wall_contacts_output
        module procedure dem_timestep_advice_output
        module procedure dem_analysis_box_output
        module procedure dem_body_output
        module procedure dem_ghost_output
        module procedure dem_particle_output
        module procedure dem_wall_output
        module procedure dem_law_limits_output
    end interface

    !> Fortran text of a C string or of the message of a dem_error.
    interface dem_text
        module procedure text_of_pointer
        module procedure text_of_error
    end interface

    private :: text_of_pointer, text_of_error, joined
    private :: dem_contact_totals_output, dem_contact_output, &
        dem_contacts_stage_output
    private :: dem_world_energies_output, dem_world_counts_output, dem_mesh_properties_output, &
        dem_mesh_contacts_output, dem_mesh_solid_output, dem_wall_contacts_output
    private :: dem_polyhedron_properties_output, dem_polyhedron_contact_output, &
        dem_polyhedron_load_output
    private :: dem_view_output, dem_pair_value_output, dem_timestep_advice_output, &
        dem_analysis_box_output, dem_body_output, dem_ghost_output, dem_particle_output, &
        dem_wall_output, dem_law_limits_output

    ! names of the laws, at an address that lasts as long as the program
    ! generated from src/laws/laws.def: f90.names
    character(kind=c_char, len=1), target, save, private :: &
        name_linear_csds(12) = &
        ['l', 'i', 'n', 'e', 'a', 'r', '-', 'c', 's', 'd', 's', c_null_char]
    character(kind=c_char, len=1), target, save, private :: &
        name_linear_dsds(12) = &
        ['l', 'i', 'n', 'e', 'a', 'r', '-', 'd', 's', 'd', 's', c_null_char]
    character(kind=c_char, len=1), target, save, private :: &
        name_hertz(6) = &
        ['h', 'e', 'r', 't', 'z', c_null_char]
    character(kind=c_char, len=1), target, save, private :: &
        name_mindlin(8) = &
        ['m', 'i', 'n', 'd', 'l', 'i', 'n', c_null_char]
    character(kind=c_char, len=1), target, save, private :: &
        name_mindlin_three_case(19) = &
        ['m', 'i', 'n', 'd', 'l', 'i', 'n', '-', 't', 'h', 'r', 'e', 'e', '-', 'c', 'a', 's', 'e', &
        c_null_char]
    character(kind=c_char, len=1), target, save, private :: &
        name_mindlin_deresiewicz(20) = &
        ['m', 'i', 'n', 'd', 'l', 'i', 'n', '-', 'd', 'e', 'r', 'e', 's', 'i', 'e', 'w', 'i', 'c', &
        'z', c_null_char]
    character(kind=c_char, len=1), target, save, private :: &
        name_mindlin_deresiewicz_32(23) = &
        ['m', 'i', 'n', 'd', 'l', 'i', 'n', '-', 'd', 'e', 'r', 'e', 's', 'i', 'e', 'w', 'i', 'c', &
        'z', '-', '3', '2', c_null_char]
    character(kind=c_char, len=1), target, save, private :: &
        name_actm(5) = &
        ['a', 'c', 't', 'm', c_null_char]
    character(kind=c_char, len=1), target, save, private :: &
        name_jkr(4) = &
        ['j', 'k', 'r', c_null_char]
    character(kind=c_char, len=1), target, save, private :: &
        name_dmt(4) = &
        ['d', 'm', 't', c_null_char]
    character(kind=c_char, len=1), target, save, private :: &
        name_luding(7) = &
        ['l', 'u', 'd', 'i', 'n', 'g', c_null_char]
    character(kind=c_char, len=1), target, save, private :: &
        name_walton_braun(13) = &
        ['w', 'a', 'l', 't', 'o', 'n', '-', 'b', 'r', 'a', 'u', 'n', c_null_char]
    character(kind=c_char, len=1), target, save, private :: &
        name_thornton(9) = &
        ['t', 'h', 'o', 'r', 'n', 't', 'o', 'n', c_null_char]
    character(kind=c_char, len=1), target, save, private :: &
        name_hooke(6) = &
        ['h', 'o', 'o', 'k', 'e', c_null_char]
    character(kind=c_char, len=1), target, save, private :: &
        name_friction(9) = &
        ['f', 'r', 'i', 'c', 't', 'i', 'o', 'n', c_null_char]
    character(kind=c_char, len=1), target, save, private :: &
        name_rolling_csds(13) = &
        ['r', 'o', 'l', 'l', 'i', 'n', 'g', '-', 'c', 's', 'd', 's', c_null_char]
    character(kind=c_char, len=1), target, save, private :: &
        name_rolling_constant(17) = &
        ['r', 'o', 'l', 'l', 'i', 'n', 'g', '-', 'c', 'o', 'n', 's', 't', 'a', 'n', 't', &
        c_null_char]
    character(kind=c_char, len=1), target, save, private :: &
        name_twisting_csds(14) = &
        ['t', 'w', 'i', 's', 't', 'i', 'n', 'g', '-', 'c', 's', 'd', 's', c_null_char]
    character(kind=c_char, len=1), target, save, private :: &
        name_twisting_marshall(18) = &
        ['t', 'w', 'i', 's', 't', 'i', 'n', 'g', '-', 'm', 'a', 'r', 's', 'h', 'a', 'l', 'l', &
        c_null_char]
    character(kind=c_char, len=1), target, save, private :: &
        name_film(5) = &
        ['f', 'i', 'l', 'm', c_null_char]
    ! end of generated

contains

    integer(c_int32_t) function dem_contact_model_init(model) result(status)
        type(dem_contact_model), intent(inout), target :: model
        status = dem_contact_model_init_sized(model, int(c_sizeof(model), c_int64_t))
    end function

    !> Adds a law by its name as the next part of a model; see dem_contact_model_add of law.h.
    integer(c_int32_t) function dem_contact_model_add(model, law, parameters) result(status)
        type(dem_contact_model), intent(inout), target :: model
        type(c_ptr), intent(in) :: law, parameters
        integer :: k
        status = DEM_ERROR_ARGUMENT
        if (.not. (c_associated(law) .and. c_associated(parameters))) return
        status = DEM_ERROR_RANGE
        do k = 1, size(model%parts)
            if (c_associated(model%parts(k)%law)) cycle
            model%parts(k)%law = law
            model%parts(k)%parameters = parameters
            status = DEM_OK
            return
        end do
    end function

    ! generated from src/laws/laws.def: f90.functions
    integer(c_int32_t) function dem_linear_init(parameters) result(status)
        type(dem_linear), intent(inout) :: parameters
        status = dem_linear_init_sized( &
            parameters, int(c_sizeof(parameters), c_int64_t))
    end function

    integer(c_int32_t) function dem_hooke_init(parameters) result(status)
        type(dem_hooke), intent(inout) :: parameters
        status = dem_hooke_init_sized( &
            parameters, int(c_sizeof(parameters), c_int64_t))
    end function

    integer(c_int32_t) function dem_friction_init(parameters) result(status)
        type(dem_friction), intent(inout) :: parameters
        status = dem_friction_init_sized( &
            parameters, int(c_sizeof(parameters), c_int64_t))
    end function

    integer(c_int32_t) function dem_hertz_init(parameters) result(status)
        type(dem_hertz), intent(inout) :: parameters
        status = dem_hertz_init_sized( &
            parameters, int(c_sizeof(parameters), c_int64_t))
    end function

    integer(c_int32_t) function dem_mindlin_init(parameters) result(status)
        type(dem_mindlin), intent(inout) :: parameters
        status = dem_mindlin_init_sized( &
            parameters, int(c_sizeof(parameters), c_int64_t))
    end function

    integer(c_int32_t) function dem_actm_init(parameters) result(status)
        type(dem_actm), intent(inout) :: parameters
        status = dem_actm_init_sized( &
            parameters, int(c_sizeof(parameters), c_int64_t))
    end function

    integer(c_int32_t) function dem_adhesion_init(parameters) result(status)
        type(dem_adhesion), intent(inout) :: parameters
        status = dem_adhesion_init_sized( &
            parameters, int(c_sizeof(parameters), c_int64_t))
    end function

    integer(c_int32_t) function dem_luding_init(parameters) result(status)
        type(dem_luding), intent(inout) :: parameters
        status = dem_luding_init_sized( &
            parameters, int(c_sizeof(parameters), c_int64_t))
    end function

    integer(c_int32_t) function dem_walton_braun_init(parameters) result(status)
        type(dem_walton_braun), intent(inout) :: parameters
        status = dem_walton_braun_init_sized( &
            parameters, int(c_sizeof(parameters), c_int64_t))
    end function

    integer(c_int32_t) function dem_thornton_init(parameters) result(status)
        type(dem_thornton), intent(inout) :: parameters
        status = dem_thornton_init_sized( &
            parameters, int(c_sizeof(parameters), c_int64_t))
    end function

    integer(c_int32_t) function dem_rolling_init(parameters) result(status)
        type(dem_rolling), intent(inout) :: parameters
        status = dem_rolling_init_sized( &
            parameters, int(c_sizeof(parameters), c_int64_t))
    end function

    integer(c_int32_t) function dem_rolling_constant_init(parameters) result(status)
        type(dem_rolling_constant), intent(inout) :: parameters
        status = dem_rolling_constant_init_sized( &
            parameters, int(c_sizeof(parameters), c_int64_t))
    end function

    integer(c_int32_t) function dem_twisting_marshall_init(parameters) result(status)
        type(dem_twisting_marshall), intent(inout) :: parameters
        status = dem_twisting_marshall_init_sized( &
            parameters, int(c_sizeof(parameters), c_int64_t))
    end function

    integer(c_int32_t) function dem_film_init(parameters) result(status)
        type(dem_film), intent(inout) :: parameters
        status = dem_film_init_sized( &
            parameters, int(c_sizeof(parameters), c_int64_t))
    end function

    integer(c_int32_t) function dem_contact_model_add_linear_csds( &
            model, parameters) result(status)
        type(dem_contact_model), intent(inout), target :: model
        type(dem_linear), intent(in), target :: parameters
        status = dem_contact_model_add( &
            model, dem_law_linear_csds(), c_loc(parameters))
    end function

    integer(c_int32_t) function dem_contact_model_add_linear_dsds( &
            model, parameters) result(status)
        type(dem_contact_model), intent(inout), target :: model
        type(dem_linear), intent(in), target :: parameters
        status = dem_contact_model_add( &
            model, dem_law_linear_dsds(), c_loc(parameters))
    end function

    integer(c_int32_t) function dem_contact_model_add_hertz( &
            model, parameters) result(status)
        type(dem_contact_model), intent(inout), target :: model
        type(dem_hertz), intent(in), target :: parameters
        status = dem_contact_model_add( &
            model, dem_law_hertz(), c_loc(parameters))
    end function

    integer(c_int32_t) function dem_contact_model_add_mindlin( &
            model, parameters) result(status)
        type(dem_contact_model), intent(inout), target :: model
        type(dem_mindlin), intent(in), target :: parameters
        status = dem_contact_model_add( &
            model, dem_law_mindlin(), c_loc(parameters))
    end function

    integer(c_int32_t) function dem_contact_model_add_mindlin_three_case( &
            model, parameters) result(status)
        type(dem_contact_model), intent(inout), target :: model
        type(dem_mindlin), intent(in), target :: parameters
        status = dem_contact_model_add( &
            model, dem_law_mindlin_three_case(), c_loc(parameters))
    end function

    integer(c_int32_t) function dem_contact_model_add_mindlin_deresiewicz( &
            model, parameters) result(status)
        type(dem_contact_model), intent(inout), target :: model
        type(dem_mindlin), intent(in), target :: parameters
        status = dem_contact_model_add( &
            model, dem_law_mindlin_deresiewicz(), c_loc(parameters))
    end function

    integer(c_int32_t) function dem_contact_model_add_mindlin_deresiewicz_32( &
            model, parameters) result(status)
        type(dem_contact_model), intent(inout), target :: model
        type(dem_mindlin), intent(in), target :: parameters
        status = dem_contact_model_add( &
            model, dem_law_mindlin_deresiewicz_32(), c_loc(parameters))
    end function

    integer(c_int32_t) function dem_contact_model_add_actm( &
            model, parameters) result(status)
        type(dem_contact_model), intent(inout), target :: model
        type(dem_actm), intent(in), target :: parameters
        status = dem_contact_model_add( &
            model, dem_law_actm(), c_loc(parameters))
    end function

    integer(c_int32_t) function dem_contact_model_add_jkr( &
            model, parameters) result(status)
        type(dem_contact_model), intent(inout), target :: model
        type(dem_adhesion), intent(in), target :: parameters
        status = dem_contact_model_add( &
            model, dem_law_jkr(), c_loc(parameters))
    end function

    integer(c_int32_t) function dem_contact_model_add_dmt( &
            model, parameters) result(status)
        type(dem_contact_model), intent(inout), target :: model
        type(dem_adhesion), intent(in), target :: parameters
        status = dem_contact_model_add( &
            model, dem_law_dmt(), c_loc(parameters))
    end function

    integer(c_int32_t) function dem_contact_model_add_luding( &
            model, parameters) result(status)
        type(dem_contact_model), intent(inout), target :: model
        type(dem_luding), intent(in), target :: parameters
        status = dem_contact_model_add( &
            model, dem_law_luding(), c_loc(parameters))
    end function

    integer(c_int32_t) function dem_contact_model_add_walton_braun( &
            model, parameters) result(status)
        type(dem_contact_model), intent(inout), target :: model
        type(dem_walton_braun), intent(in), target :: parameters
        status = dem_contact_model_add( &
            model, dem_law_walton_braun(), c_loc(parameters))
    end function

    integer(c_int32_t) function dem_contact_model_add_thornton( &
            model, parameters) result(status)
        type(dem_contact_model), intent(inout), target :: model
        type(dem_thornton), intent(in), target :: parameters
        status = dem_contact_model_add( &
            model, dem_law_thornton(), c_loc(parameters))
    end function

    integer(c_int32_t) function dem_contact_model_add_hooke( &
            model, parameters) result(status)
        type(dem_contact_model), intent(inout), target :: model
        type(dem_hooke), intent(in), target :: parameters
        status = dem_contact_model_add( &
            model, dem_law_hooke(), c_loc(parameters))
    end function

    integer(c_int32_t) function dem_contact_model_add_friction( &
            model, parameters) result(status)
        type(dem_contact_model), intent(inout), target :: model
        type(dem_friction), intent(in), target :: parameters
        status = dem_contact_model_add( &
            model, dem_law_friction(), c_loc(parameters))
    end function

    integer(c_int32_t) function dem_contact_model_add_rolling_csds( &
            model, parameters) result(status)
        type(dem_contact_model), intent(inout), target :: model
        type(dem_rolling), intent(in), target :: parameters
        status = dem_contact_model_add( &
            model, dem_law_rolling_csds(), c_loc(parameters))
    end function

    integer(c_int32_t) function dem_contact_model_add_rolling_constant( &
            model, parameters) result(status)
        type(dem_contact_model), intent(inout), target :: model
        type(dem_rolling_constant), intent(in), target :: parameters
        status = dem_contact_model_add( &
            model, dem_law_rolling_constant(), c_loc(parameters))
    end function

    integer(c_int32_t) function dem_contact_model_add_twisting_csds( &
            model, parameters) result(status)
        type(dem_contact_model), intent(inout), target :: model
        type(dem_rolling), intent(in), target :: parameters
        status = dem_contact_model_add( &
            model, dem_law_twisting_csds(), c_loc(parameters))
    end function

    integer(c_int32_t) function dem_contact_model_add_twisting_marshall( &
            model, parameters) result(status)
        type(dem_contact_model), intent(inout), target :: model
        type(dem_twisting_marshall), intent(in), target :: parameters
        status = dem_contact_model_add( &
            model, dem_law_twisting_marshall(), c_loc(parameters))
    end function

    integer(c_int32_t) function dem_contact_model_add_film( &
            model, parameters) result(status)
        type(dem_contact_model), intent(inout), target :: model
        type(dem_film), intent(in), target :: parameters
        status = dem_contact_model_add( &
            model, dem_law_film(), c_loc(parameters))
    end function

    !> The name DEM_LAW_LINEAR_CSDS, for dem_contact_part%law.
    type(c_ptr) function dem_law_linear_csds()
        dem_law_linear_csds = c_loc(name_linear_csds)
    end function

    !> The name DEM_LAW_LINEAR_DSDS, for dem_contact_part%law.
    type(c_ptr) function dem_law_linear_dsds()
        dem_law_linear_dsds = c_loc(name_linear_dsds)
    end function

    !> The name DEM_LAW_HERTZ, for dem_contact_part%law.
    type(c_ptr) function dem_law_hertz()
        dem_law_hertz = c_loc(name_hertz)
    end function

    !> The name DEM_LAW_MINDLIN, for dem_contact_part%law.
    type(c_ptr) function dem_law_mindlin()
        dem_law_mindlin = c_loc(name_mindlin)
    end function

    !> The name DEM_LAW_MINDLIN_THREE_CASE, for dem_contact_part%law.
    type(c_ptr) function dem_law_mindlin_three_case()
        dem_law_mindlin_three_case = c_loc(name_mindlin_three_case)
    end function

    !> The name DEM_LAW_MINDLIN_DERESIEWICZ, for dem_contact_part%law.
    type(c_ptr) function dem_law_mindlin_deresiewicz()
        dem_law_mindlin_deresiewicz = c_loc(name_mindlin_deresiewicz)
    end function

    !> The name DEM_LAW_MINDLIN_DERESIEWICZ_32, for dem_contact_part%law.
    type(c_ptr) function dem_law_mindlin_deresiewicz_32()
        dem_law_mindlin_deresiewicz_32 = c_loc(name_mindlin_deresiewicz_32)
    end function

    !> The name DEM_LAW_ACTM, for dem_contact_part%law.
    type(c_ptr) function dem_law_actm()
        dem_law_actm = c_loc(name_actm)
    end function

    !> The name DEM_LAW_JKR, for dem_contact_part%law.
    type(c_ptr) function dem_law_jkr()
        dem_law_jkr = c_loc(name_jkr)
    end function

    !> The name DEM_LAW_DMT, for dem_contact_part%law.
    type(c_ptr) function dem_law_dmt()
        dem_law_dmt = c_loc(name_dmt)
    end function

    !> The name DEM_LAW_LUDING, for dem_contact_part%law.
    type(c_ptr) function dem_law_luding()
        dem_law_luding = c_loc(name_luding)
    end function

    !> The name DEM_LAW_WALTON_BRAUN, for dem_contact_part%law.
    type(c_ptr) function dem_law_walton_braun()
        dem_law_walton_braun = c_loc(name_walton_braun)
    end function

    !> The name DEM_LAW_THORNTON, for dem_contact_part%law.
    type(c_ptr) function dem_law_thornton()
        dem_law_thornton = c_loc(name_thornton)
    end function

    !> The name DEM_LAW_HOOKE, for dem_contact_part%law.
    type(c_ptr) function dem_law_hooke()
        dem_law_hooke = c_loc(name_hooke)
    end function

    !> The name DEM_LAW_FRICTION, for dem_contact_part%law.
    type(c_ptr) function dem_law_friction()
        dem_law_friction = c_loc(name_friction)
    end function

    !> The name DEM_LAW_ROLLING_CSDS, for dem_contact_part%law.
    type(c_ptr) function dem_law_rolling_csds()
        dem_law_rolling_csds = c_loc(name_rolling_csds)
    end function

    !> The name DEM_LAW_ROLLING_CONSTANT, for dem_contact_part%law.
    type(c_ptr) function dem_law_rolling_constant()
        dem_law_rolling_constant = c_loc(name_rolling_constant)
    end function

    !> The name DEM_LAW_TWISTING_CSDS, for dem_contact_part%law.
    type(c_ptr) function dem_law_twisting_csds()
        dem_law_twisting_csds = c_loc(name_twisting_csds)
    end function

    !> The name DEM_LAW_TWISTING_MARSHALL, for dem_contact_part%law.
    type(c_ptr) function dem_law_twisting_marshall()
        dem_law_twisting_marshall = c_loc(name_twisting_marshall)
    end function

    !> The name DEM_LAW_FILM, for dem_contact_part%law.
    type(c_ptr) function dem_law_film()
        dem_law_film = c_loc(name_film)
    end function
    ! end of generated

    integer(c_int32_t) function dem_law_init(law) result(status)
        type(dem_law), intent(inout), target :: law
        status = dem_law_init_sized(law, int(c_sizeof(law), c_int64_t))
    end function

    integer(c_int32_t) function dem_contact_history_config_init(config) result(status)
        type(dem_contact_history_config), intent(inout), target :: config
        status = dem_contact_history_config_init_sized(config, int(c_sizeof(config), c_int64_t))
    end function

    integer(c_int32_t) function dem_mesh_config_init(config) result(status)
        type(dem_mesh_config), intent(inout), target :: config
        status = dem_mesh_config_init_sized(config, int(c_sizeof(config), c_int64_t))
    end function

    integer(c_int32_t) function dem_mesh_search_config_init(config) result(status)
        type(dem_mesh_search_config), intent(inout), target :: config
        status = dem_mesh_search_config_init_sized(config, int(c_sizeof(config), c_int64_t))
    end function

    integer(c_int32_t) function dem_mesh_spheres_init(spheres) result(status)
        type(dem_mesh_spheres), intent(inout), target :: spheres
        status = dem_mesh_spheres_init_sized(spheres, int(c_sizeof(spheres), c_int64_t))
    end function

    integer(c_int32_t) function dem_wall_search_config_init(config) result(status)
        type(dem_wall_search_config), intent(inout), target :: config
        status = dem_wall_search_config_init_sized(config, int(c_sizeof(config), c_int64_t))
    end function

    integer(c_int32_t) function dem_wall_spheres_init(spheres) result(status)
        type(dem_wall_spheres), intent(inout), target :: spheres
        status = dem_wall_spheres_init_sized(spheres, int(c_sizeof(spheres), c_int64_t))
    end function

    integer(c_int32_t) function dem_contacts_input_init(input) result(status)
        type(dem_contacts_input), intent(inout), target :: input
        status = dem_contacts_input_init_sized(input, int(c_sizeof(input), c_int64_t))
    end function

    integer(c_int32_t) function dem_contacts_geometry_init(geometry) result(status)
        type(dem_contacts_geometry), intent(inout), target :: geometry
        status = dem_contacts_geometry_init_sized(geometry, int(c_sizeof(geometry), c_int64_t))
    end function

    integer(c_int32_t) function dem_integrator_config_init(config) result(status)
        type(dem_integrator_config), intent(inout), target :: config
        status = dem_integrator_config_init_sized(config, int(c_sizeof(config), c_int64_t))
    end function

    integer(c_int32_t) function dem_contact_arrays_init(arrays) result(status)
        type(dem_contact_arrays), intent(inout), target :: arrays
        status = dem_contact_arrays_init_sized(arrays, int(c_sizeof(arrays), c_int64_t))
    end function
    integer(c_int32_t) function dem_deposition_grid_init(grid) result(status)
        type(dem_deposition_grid), intent(inout) :: grid
        status = dem_deposition_grid_init_sized(grid, int(c_sizeof(grid), c_int64_t))
    end function
    integer(c_int32_t) function dem_analysis_grid_init(grid) result(status)
        type(dem_analysis_grid), intent(inout) :: grid
        status = dem_analysis_grid_init_sized(grid, int(c_sizeof(grid), c_int64_t))
    end function
    integer(c_int32_t) function dem_analysis_particles_init(arrays) result(status)
        type(dem_analysis_particles), intent(inout), target :: arrays
        status = dem_analysis_particles_init_sized(arrays, int(c_sizeof(arrays), c_int64_t))
    end function
    integer(c_int32_t) function dem_integrator_arrays_init(arrays) result(status)
        type(dem_integrator_arrays), intent(inout), target :: arrays
        status = dem_integrator_arrays_init_sized(arrays, int(c_sizeof(arrays), c_int64_t))
    end function

    integer(c_int32_t) function dem_world_config_init(config) result(status)
        type(dem_world_config), intent(inout), target :: config
        status = dem_world_config_init_sized(config, int(c_sizeof(config), c_int64_t))
    end function

    integer(c_int32_t) function dem_material_init(material) result(status)
        type(dem_material), intent(inout) :: material
        status = dem_material_init_sized(material, int(c_sizeof(material), c_int64_t))
    end function

    integer(c_int32_t) function dem_timestep_request_init(request) result(status)
        type(dem_timestep_request), intent(inout) :: request
        status = dem_timestep_request_init_sized(request, int(c_sizeof(request), c_int64_t))
    end function

    integer(c_int32_t) function dem_particle_init(particle) result(status)
        type(dem_particle), intent(inout) :: particle
        status = dem_particle_init_sized(particle, int(c_sizeof(particle), c_int64_t))
    end function

    integer(c_int32_t) function dem_body_init(body) result(status)
        type(dem_body), intent(inout) :: body
        status = dem_body_init_sized(body, int(c_sizeof(body), c_int64_t))
    end function
    integer(c_int32_t) function dem_body_part_init(part) result(status)
        type(dem_body_part), intent(inout), target :: part
        status = dem_body_part_init_sized(part, int(c_sizeof(part), c_int64_t))
    end function
    integer(c_int32_t) function dem_body_arrays_init(arrays) result(status)
        type(dem_body_arrays), intent(inout), target :: arrays
        status = dem_body_arrays_init_sized(arrays, int(c_sizeof(arrays), c_int64_t))
    end function

    integer(c_int32_t) function dem_wall_init(wall) result(status)
        type(dem_wall), intent(inout), target :: wall
        status = dem_wall_init_sized(wall, int(c_sizeof(wall), c_int64_t))
    end function

    integer(c_int32_t) function dem_wall_servo_init(servo) result(status)
        type(dem_wall_servo), intent(inout) :: servo
        status = dem_wall_servo_init_sized(servo, int(c_sizeof(servo), c_int64_t))
    end function

    elemental subroutine dem_ghost_output(output)
        type(dem_ghost), intent(inout) :: output
        output%struct_size = int(c_sizeof(output), c_int64_t)
    end subroutine

    elemental subroutine dem_particle_output(output)
        type(dem_particle), intent(inout) :: output
        output%struct_size = int(c_sizeof(output), c_int64_t)
    end subroutine

    elemental subroutine dem_wall_output(output)
        type(dem_wall), intent(inout), target :: output
        output%struct_size = int(c_sizeof(output), c_int64_t)
    end subroutine

    elemental subroutine dem_law_limits_output(output)
        type(dem_law_limits), intent(inout) :: output
        output%struct_size = int(c_sizeof(output), c_int64_t)
    end subroutine

    elemental subroutine dem_body_output(output)
        type(dem_body), intent(inout) :: output
        output%struct_size = int(c_sizeof(output), c_int64_t)
    end subroutine

    elemental subroutine dem_contact_totals_output(output)
        type(dem_contact_totals), intent(inout) :: output
        output%struct_size = int(c_sizeof(output), c_int64_t)
    end subroutine

    elemental subroutine dem_contact_output(output)
        type(dem_contact), intent(inout), target :: output
        output%struct_size = int(c_sizeof(output), c_int64_t)
    end subroutine

    elemental subroutine dem_contacts_stage_output(output)
        type(dem_contacts_stage), intent(inout), target :: output
        output%struct_size = int(c_sizeof(output), c_int64_t)
    end subroutine

    elemental subroutine dem_world_energies_output(output)
        type(dem_world_energies), intent(inout) :: output
        output%struct_size = int(c_sizeof(output), c_int64_t)
    end subroutine

    elemental subroutine dem_world_counts_output(output)
        type(dem_world_counts), intent(inout) :: output
        output%struct_size = int(c_sizeof(output), c_int64_t)
    end subroutine

    elemental subroutine dem_mesh_contacts_output(contacts)
        type(dem_mesh_contacts), intent(inout), target :: contacts
        contacts%struct_size = int(c_sizeof(contacts), c_int64_t)
    end subroutine

    elemental subroutine dem_wall_contacts_output(contacts)
        type(dem_wall_contacts), intent(inout), target :: contacts
        contacts%struct_size = int(c_sizeof(contacts), c_int64_t)
    end subroutine

    elemental subroutine dem_mesh_properties_output(properties)
        type(dem_mesh_properties), intent(inout) :: properties
        properties%struct_size = int(c_sizeof(properties), c_int64_t)
    end subroutine

    elemental subroutine dem_mesh_solid_output(solid)
        type(dem_mesh_solid), intent(inout) :: solid
        solid%struct_size = int(c_sizeof(solid), c_int64_t)
    end subroutine

    integer(c_int32_t) function dem_polyhedron_config_init(config) result(status)
        type(dem_polyhedron_config), intent(inout), target :: config
        status = dem_polyhedron_config_init_sized(config, int(c_sizeof(config), c_int64_t))
    end function

    integer(c_int32_t) function dem_polyhedron_search_config_init(config) result(status)
        type(dem_polyhedron_search_config), intent(inout), target :: config
        status = dem_polyhedron_search_config_init_sized(config, int(c_sizeof(config), c_int64_t))
    end function

    integer(c_int32_t) function dem_polyhedron_motion_init(motion) result(status)
        type(dem_polyhedron_motion), intent(inout), target :: motion
        status = dem_polyhedron_motion_init_sized(motion, int(c_sizeof(motion), c_int64_t))
    end function

    integer(c_int32_t) function dem_polyhedron_law_init(law) result(status)
        type(dem_polyhedron_law), intent(inout) :: law
        status = dem_polyhedron_law_init_sized(law, int(c_sizeof(law), c_int64_t))
    end function

    elemental subroutine dem_polyhedron_properties_output(output)
        type(dem_polyhedron_properties), intent(inout) :: output
        output%struct_size = int(c_sizeof(output), c_int64_t)
    end subroutine

    elemental subroutine dem_polyhedron_contact_output(output)
        type(dem_polyhedron_contact), intent(inout) :: output
        output%struct_size = int(c_sizeof(output), c_int64_t)
    end subroutine

    elemental subroutine dem_polyhedron_load_output(output)
        type(dem_polyhedron_load), intent(inout) :: output
        output%struct_size = int(c_sizeof(output), c_int64_t)
    end subroutine

    elemental subroutine dem_pair_value_output(output)
        type(dem_pair_value), intent(inout), target :: output
        output%struct_size = int(c_sizeof(output), c_int64_t)
    end subroutine

    elemental subroutine dem_analysis_box_output(output)
        type(dem_analysis_box), intent(inout) :: output
        output%struct_size = int(c_sizeof(output), c_int64_t)
    end subroutine

    elemental subroutine dem_timestep_advice_output(output)
        type(dem_timestep_advice), intent(inout) :: output
        output%struct_size = int(c_sizeof(output), c_int64_t)
    end subroutine

    elemental subroutine dem_view_output(output)
        type(dem_view), intent(inout), target :: output
        output%struct_size = int(c_sizeof(output), c_int64_t)
    end subroutine

    !> Row `row` (c_int64_t) of a view, from 0 to view%count - 1, with `width` numbers, 3 for
    !! vectors.
    function dem_view_row(view, row, width) result(numbers)
        type(dem_view), intent(in), target :: view
        integer(c_int64_t), intent(in) :: row
        integer, intent(in) :: width
        real(c_double), pointer :: numbers(:)
        type(c_ptr) :: place
        place = transfer(transfer(view%data, 0_c_intptr_t) + row * view%stride, place)
        call c_f_pointer(place, numbers, [width])
    end function

    !> The index of row `row` of a view, from 0, see dem_view of world.h.
    function dem_view_index(view, row) result(number)
        type(dem_view), intent(in), target :: view
        integer(c_int64_t), intent(in) :: row
        integer(c_int32_t) :: number
        integer(c_int32_t), pointer :: index
        type(c_ptr) :: place
        place = transfer(transfer(view%index, 0_c_intptr_t) + row * view%index_stride, place)
        call c_f_pointer(place, index)
        number = index
    end function

    !> The characters of a Fortran text, blanks at its end too, and a final zero, as C needs them.
    pure function dem_c_text(text) result(characters)
        character(len=*), intent(in) :: text
        character(kind=c_char, len=1) :: characters(len(text) + 1)
        integer :: k
        do k = 1, len(text)
            characters(k) = text(k:k)
        end do
        characters(len(text) + 1) = c_null_char
    end function

    !> Text of a C string that a zero ends; empty for NULL.
    function text_of_pointer(string) result(text)
        type(c_ptr), intent(in) :: string
        character(len=:), allocatable :: text
        character(kind=c_char, len=1), pointer :: c(:)
        integer :: length
        text = ''
        if (.not. c_associated(string)) return
        length = 0
        do ! the length is not known ahead: the window grows by one until the zero is seen
            call c_f_pointer(string, c, [length + 1])
            if (c(length + 1) == c_null_char) exit
            length = length + 1
        end do
        text = joined(c(1:length))
    end function

    !> Message of a dem_error.
    function text_of_error(error) result(text)
        type(dem_error), intent(in) :: error
        character(len=:), allocatable :: text
        integer :: length
        do length = 0, size(error%message) - 1
            if (error%message(length + 1) == c_null_char) exit
        end do
        text = joined(error%message(1:length))
    end function

    pure function joined(characters) result(text)
        character(kind=c_char, len=1), intent(in) :: characters(:)
        character(len=size(characters)) :: text
        integer :: k
        do k = 1, size(characters)
            text(k:k) = characters(k)
        end do
    end function
end module
